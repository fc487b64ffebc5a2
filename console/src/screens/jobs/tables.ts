// What lists of jobs show: the tables that a job has read and written, and which job is a part of which.
import type { Job } from "../../shared/api/types";

interface Written {
  id: string;
  metrics?: { name: string; value: number }[];
}

export interface Moved {
  id: string;
  rows: number | undefined;
}

export function readTables(job: Job): { read: Moved[]; written: Moved[] } {
  const result = (job.result ?? {}) as { input?: { tables?: Written[] }; output?: { tables?: Written[] } };
  return { read: (result.input?.tables ?? []).map(toMoved), written: (result.output?.tables ?? []).map(toMoved) };
}

const toMoved = ({ id, metrics }: Written): Moved => ({ id, rows: metrics?.find((each) => each.name.endsWith("RowsCount"))?.value });

/** Jobs that are parts of a job in the list, such as the tasks of a flow, follow it, and are indented below it. */
export function nested(jobs: Job[]): { job: Job; depth: number }[] {
  const known = new Set(jobs.map((job) => job.runId));
  const parts = Map.groupBy(jobs, (job) => parentOf(job, known));
  const below = (parent: string, depth: number): { job: Job; depth: number }[] => (parts.get(parent) ?? []).flatMap((job) => [{ job, depth }, ...below(job.runId, depth + 1)]);
  return below("", 0);
}

/** The nearest one that is listed: the job of a phase may not be. */
function parentOf({ parentRunId }: Job, known: Set<string>): string {
  for (let run = parentRunId; run; run = run.slice(0, Math.max(run.lastIndexOf("."), 0))) if (known.has(run)) return run;
  return "";
}
