// The tables that a job has read and written, with the numbers of their rows.
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
