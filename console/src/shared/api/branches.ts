// The branch that the address names. All requests of the screens go to it, so a screen need not know of branches.
import { hashKey, type QueryKey } from "@tanstack/react-query";
import type { Options } from "./client";

const ADDRESS = /\/projects\/[^/]+\/branch\/(\d+)(?:\/|$)/;

/** The number of a development branch; empty in Main. */
export const branchIn = (path: string): string => ADDRESS.exec(path)?.[1] ?? "";
const currentBranch = (): string => branchIn(location.pathname);

/** Two branches have different data under the same key. */
export const hashInBranch = (key: QueryKey): string => currentBranch() + hashKey(key);

/** What Storage has in every branch. Jobs of Storage, triggers, single snapshots and schedules have no branch. */
const IN_BRANCHES = /^\/(?!components\/keboola\.scheduler\/)(buckets|tables|components|files|events|workspaces|search)(\/|\?|$)/;

export function inBranch(service: string, path: string, options: Options): { path: string; options: Options } {
  const branch = currentBranch();
  if (!branch) return { path, options };
  if (service === "storage" && IN_BRANCHES.test(path)) return { path: `/branch/${branch}${path}`, options };
  if (service === "queue" && !options.method && !path.startsWith("/jobs/")) return { path, options: { ...options, query: { branchId: branch, ...options.query } } };
  const isRun = options.method === "POST" && ((service === "queue" && path === "/jobs") || service === "sync-actions");
  return { path, options: isRun ? { ...options, body: { branchId: branch, ...(options.body as object) } } : options };
}
