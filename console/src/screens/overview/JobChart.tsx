import type { Job } from "../../shared/api/types";
import { Chart } from "../../shared/Chart";
import { Empty } from "../../shared/parts";

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

function countByDay(jobs: Job[]): Day[] {
  const today = Date.now();
  const days = Array.from({ length: DAYS }, (_, at): Day => ({ day: new Date(today - (DAYS - 1 - at) * DAY).toISOString().slice(0, 10), ok: 0, bad: 0, other: 0 }));
  const byDay = new Map(days.map((each) => [each.day, each]));
  for (const job of jobs) {
    const day = byDay.get(new Date(job.createdTime).toISOString().slice(0, 10));
    if (day) day[job.status === "success" ? "ok" : job.status === "error" ? "bad" : "other"] += 1;
  }
  return days;
}

function describe(days: Day[]): string {
  const [ok, bad] = [days.reduce((sum, each) => sum + each.ok, 0), days.reduce((sum, each) => sum + each.bad, 0)];
  return `Jobs by day: ${ok} succeeded and ${bad} failed in ${DAYS} days.`;
}
