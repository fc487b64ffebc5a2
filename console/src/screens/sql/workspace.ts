// The workspace that queries of the console run in: one of the token's own, made when the first query runs.
import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { branchIn } from "../../shared/api/branches";
import { call } from "../../shared/api/client";
import { useProject } from "../../shared/api/hooks";
import type { Branch, Workspace } from "../../shared/api/types";

export interface Place {
  id: number;
  branch: number;
}

export function useWorkspace(): { get: () => Promise<Place> } {
  const { data: token } = useProject();
  const queries = useQueryClient();
  const branch = useLocation({ select: (location) => branchIn(location.pathname) });
  const get = () => queries.fetchQuery({ queryKey: ["workspace", token?.id], queryFn: () => find(token?.id ?? "", Number(branch)), staleTime: Infinity });
  return { get };
}

async function find(tokenId: string, branch: number): Promise<Place> {
  const all = await call<Workspace[]>("storage", "/workspaces");
  const own = all.find((each) => String(each.creatorToken.id) === tokenId && !each.component && each.readOnlyStorageAccess);
  const { id } = own ?? (await call<Workspace>("storage", "/workspaces", { method: "POST", body: { backend: "snowflake" } }));
  return { id, branch: branch || (await findMain()) };
}

async function findMain(): Promise<number> {
  const branches = await call<Branch[]>("storage", "/dev-branches");
  return branches.find((each) => each.isDefault)?.id ?? 0;
}
