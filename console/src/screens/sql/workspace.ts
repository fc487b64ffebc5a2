// The workspace that queries of the console run in: one of the token's own, made when the first query runs.
import { useQueryClient } from "@tanstack/react-query";
import { call } from "../../shared/api/client";
import { useProject } from "../../shared/api/hooks";
import type { Branch, Workspace } from "../../shared/api/types";

interface Place {
  id: number;
  branch: number;
}

export function useWorkspace(): { get: () => Promise<Place> } {
  const { data: token } = useProject();
  const queries = useQueryClient();
  const get = () => queries.fetchQuery({ queryKey: ["workspace", token?.id], queryFn: () => find(token?.id ?? ""), staleTime: Infinity });
  return { get };
}

async function find(tokenId: string): Promise<Place> {
  const branches = await call<Branch[]>("storage", "/dev-branches");
  const branch = branches.find((each) => each.isDefault)?.id ?? 0;
  const all = await call<Workspace[]>("storage", "/workspaces");
  const own = all.find((each) => String(each.creatorToken.id) === tokenId && !each.component && each.readOnlyStorageAccess);
  const { id } = own ?? (await call<Workspace>("storage", "/workspaces", { method: "POST", body: { backend: "snowflake" } }));
  return { id, branch };
}
