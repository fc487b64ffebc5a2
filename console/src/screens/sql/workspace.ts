// The workspace that queries of the console run in: one of the token's own, made when the first query runs.
import { useQueryClient } from "@tanstack/react-query";
import { useLocation } from "@tanstack/react-router";
import { branchIn } from "../../shared/api/branches";
import { ApiError, call } from "../../shared/api/client";
import { useProject } from "../../shared/api/hooks";
import type { Branch, Workspace } from "../../shared/api/types";

export interface WorkspaceInBranch {
  id: number;
  branch: number;
}

export function useWorkspace(): { get: () => Promise<WorkspaceInBranch> } {
  const { data: token } = useProject();
  const queries = useQueryClient();
  const branch = useLocation({ select: (location) => branchIn(location.pathname) });
  const get = () => queries.fetchQuery({ queryKey: ["workspace", token?.id], queryFn: () => find(token?.id ?? "", branch), staleTime: Infinity });
  return { get };
}

async function find(tokenId: string, branch: string): Promise<WorkspaceInBranch> {
  const all = await call<Workspace[]>("storage", "/workspaces");
  const usable = all.filter((each) => !each.component && each.readOnlyStorageAccess);
  const own = usable.find((each) => String(each.creatorToken.id) === tokenId);
  const { id } = own ?? (await create().catch((error: Error) => chooseOther(usable, error)));
  return { id, branch: await findBranch(branch) };
}

const create = (): Promise<Workspace> => call<Workspace>("storage", "/workspaces", { method: "POST", body: { backend: "snowflake" } });

/** Who only reads may not create a workspace, and may query in one that exists. */
function chooseOther(usable: Workspace[], error: Error): Workspace {
  if (!(error instanceof ApiError) || error.status !== 403) throw error;
  const [first] = usable;
  if (first) return first;
  throw new ApiError("You may not create a workspace, and the project has none. An administrator has to run a query on this screen first.", 403, error.exceptionId);
}

/** The id of the branch that is shown. */
export async function findBranch(branch: string): Promise<number> {
  if (branch) return Number(branch);
  const branches = await call<Branch[]>("storage", "/dev-branches");
  return branches.find((each) => each.isDefault)?.id ?? 0;
}
