// Reads a few rows with SQL, in the workspace of the SQL screen.
import { ApiError, call } from "../../shared/api/client";
import { enc } from "../../shared/api/hooks";
import type { QueryJob } from "../../shared/api/types";
import { useWorkspace } from "./workspace";

type Rows = (string | null)[][];

/** The rows of each statement. */
export function useRows(): (statements: string[]) => Promise<Rows[]> {
  const workspace = useWorkspace();
  return async (statements) => {
    const { id, branch } = await workspace.get();
    const path = `/api/v1/branches/${branch}/workspaces/${id}/queries`;
    const { queryJobId } = await call<QueryJob["Submitted"]>("query", path, { method: "POST", body: { statements, dialect: "duckdb" } });
    const done = await wait(queryJobId);
    return Promise.all(done.statements.map(async (each) => (await call<QueryJob["Results"]>("query", `/api/v1/queries/${enc(queryJobId)}/${enc(each.id)}/results`, { query: { offset: 0, pageSize: 1000 } })).data));
  };
}

async function wait(id: string): Promise<QueryJob["Job"]> {
  for (let pause = 100; ; pause = Math.min(pause * 1.5, 2000)) {
    const job = await call<QueryJob["Job"]>("query", `/api/v1/queries/${enc(id)}`);
    if (job.status === "completed") return job;
    const failed = job.statements.find((each) => each.status === "failed");
    if (failed || job.status === "failed" || job.status === "canceled") throw new ApiError(failed?.error ?? `The query was ${job.status}.`, 400);
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}
