import type { Series } from "../../shared/Chart";
import type { UsageRow } from "../../shared/api/types";

const DAY = 86_400_000;
const SHOWN = 5;

export const lastDays = (days: number): string[] => Array.from({ length: days }, (_, at) => new Date(Date.now() - (days - 1 - at) * DAY).toISOString().slice(0, 10));

/** Small amounts keep their digits: a job of seconds costs thousandths. */
export const credits = (value: number): string => value.toLocaleString("en", { maximumFractionDigits: Math.abs(value) < 1 ? 5 : 2 });

/** The components that cost most, each a series, and all others as one. */
export function toSeries(days: string[], rows: UsageRow[]): Series[] {
  const sums = new Map<string, number>();
  for (const row of rows) sums.set(nameOf(row), (sums.get(nameOf(row)) ?? 0) + row.credits);
  const largest = [...sums].sort((one, other) => other[1] - one[1]).map(([name]) => name);
  const shown = largest.slice(0, SHOWN);
  const names = largest.length > SHOWN ? [...shown, "others"] : shown;
  const at = new Map(days.map((day, index) => [day, index]));
  const series = names.map((name): Series & { values: number[] } => ({ name, values: days.map(() => 0) }));
  for (const row of rows) {
    const index = at.get(row.day ?? "");
    const found = series[shown.includes(nameOf(row)) ? shown.indexOf(nameOf(row)) : series.length - 1];
    if (index !== undefined && found) found.values[index]! += row.credits;
  }
  return series;
}

const nameOf = (row: UsageRow): string => row.component || "SQL and workspaces";
