import type { Job } from "../../shared/api/types";
import { Chart } from "../../shared/Chart";
import { Empty } from "../../shared/parts";
import { readTables } from "../jobs/tables";

export const DAYS = 14;
const DAY = 86_400_000;

interface Day {
  day: string;
  ok: number;
  bad: number;
  other: number;
}

export function JobChart({ jobs }: { jobs: Job[] }) {
  if (!jobs.length) return <Empty title="No job has run yet">Each day has a bar of its jobs here.</Empty>;
  const days = countByDay(jobs);
  const of = (key: "ok" | "bad" | "other"): number[] => days.map((each) => each[key]);
  return (
    <Chart kind="bar" isStacked title={describe(days)} height={190} labels={days.map(({ day }) => day.slice(5))} series={[
      { name: "succeeded", values: of("ok"), color: "var(--good)" },
      { name: "failed", values: of("bad"), color: "var(--bad)" },
      { name: "other", values: of("other"), color: "var(--neutral)" },
    ]} />
  );
}

export function RowsChart({ jobs }: { jobs: Job[] }) {
  if (!jobs.some(rowsLoaded)) return <Empty title="No rows were loaded yet">Each day has a bar of the rows that jobs have written to tables.</Empty>;
  const rows = new Map(lastDays().map((day) => [day, 0]));
  for (const job of jobs) rows.set(dayOf(job), (rows.get(dayOf(job)) ?? 0) + rowsLoaded(job));
  const days = lastDays();
  return <Chart kind="bar" title={`Rows loaded by day, in ${DAYS} days`} height={190} labels={days.map((day) => day.slice(5))} series={[{ name: "rows", values: days.map((day) => rows.get(day) ?? 0) }]} />;
}

/** Jobs that are made of others repeat what those have written. */
export const rowsLoaded = (job: Job): number => (job.type === "standard" ? readTables(job).written.reduce((sum, table) => sum + (table.rows ?? 0), 0) : 0);

const dayOf = (job: Job): string => new Date(job.createdTime).toISOString().slice(0, 10);
const lastDays = (): string[] => Array.from({ length: DAYS }, (_, at) => new Date(Date.now() - (DAYS - 1 - at) * DAY).toISOString().slice(0, 10));

function countByDay(jobs: Job[]): Day[] {
  const days = lastDays().map((day): Day => ({ day, ok: 0, bad: 0, other: 0 }));
  const byDay = new Map(days.map((each) => [each.day, each]));
  for (const job of jobs) {
    const day = byDay.get(dayOf(job));
    if (day) day[job.status === "success" ? "ok" : job.status === "error" ? "bad" : "other"] += 1;
  }
  return days;
}

function describe(days: Day[]): string {
  const [ok, bad] = [days.reduce((sum, each) => sum + each.ok, 0), days.reduce((sum, each) => sum + each.bad, 0)];
  return `Jobs by day: ${ok} succeeded and ${bad} failed in ${DAYS} days.`;
}
