// Parameters that ask only for what is new, of a load that replaces the whole table: the same rule as that of the command
// line (extractor/config/full_loads.py), before anything runs.
import { isMap } from "./schema";

/** One sentence for each job that would replace its table by what is new. `given` is a configuration, or its text. */
export function findFullLoads(given: unknown): string[] {
  const config = within(within(parsed(given), "parameters"), "config");
  if (isOn(within(config, "incrementalOutput"))) return [];
  return inJobs(within(config, "jobs"), "config.jobs", config);
}

function inJobs(jobs: unknown, path: string, config: unknown): string[] {
  if (!Array.isArray(jobs)) return [];
  return jobs.flatMap((job: unknown, at) => {
    const place = `${path}[${at}]`;
    const below = inJobs(within(job, "children"), `${place}.children`, config);
    const param = isOn(within(job, "incremental")) ? undefined : paramOf(job, config);
    return param === undefined ? below : [sentence(place, param), ...below];
  });
}

const sentence = (place: string, param: string): string =>
  `${place}.${param} asks only for what is new since the last run, but the table is replaced as a whole: the rows of earlier runs are lost, and a run that finds nothing new empties it. Set "incrementalOutput": true and a primary key, or remove previousStart.`;

/** The setting of a job that depends on the time of the last run. */
function paramOf(job: unknown, config: unknown): string | undefined {
  const params = Object.entries((within(job, "params") ?? {}) as Record<string, unknown>);
  const param = params.find(([, value]) => usesLastRun(value, config));
  if (param) return `params.${param[0]}`;
  return usesLastRun(within(job, "endpoint"), config) ? "endpoint" : undefined;
}

function usesLastRun(value: unknown, config: unknown, depth = 0): boolean {
  if (depth > 20) return false;
  if (Array.isArray(value)) return value.some((each) => usesLastRun(each, config, depth + 1));
  if (!isMap(value)) return false;
  if (value["time"] === "previousStart") return true;
  const attr = value["attr"];
  if (typeof attr === "string" && usesLastRun(within(config, attr.split(".")[0] ?? ""), config, depth + 1)) return true;
  return Object.values(value).some((each) => usesLastRun(each, config, depth + 1));
}

const within = (value: unknown, key: string): unknown => (isMap(value) ? value[key] : undefined);
const isOn = (value: unknown): boolean => value === true || value === 1 || value === "1" || value === "true";

function parsed(given: unknown): unknown {
  try {
    return typeof given === "string" ? (JSON.parse(given) as unknown) : given;
  } catch {
    return undefined;
  }
}
