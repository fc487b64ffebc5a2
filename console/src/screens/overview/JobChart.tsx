import { Tooltip } from "@mantine/core";
import type { Job } from "../../shared/api/types";
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
  const most = Math.max(1, ...days.map((each) => each.ok + each.bad + each.other));
  const height = (value: number): string => `${(value / most) * 100}%`;
  return (
    <div className="bars" role="img" aria-label={describe(days)}>
      {days.map((each) => (
        <Tooltip key={each.day} label={`${each.day}: ${each.ok} succeeded, ${each.bad} failed, ${each.other} other`}>
          <div className="bar">
            {each.other > 0 && <div className="bar-part bar-other" style={{ height: height(each.other) }} />}
            {each.bad > 0 && <div className="bar-part bar-bad" style={{ height: height(each.bad) }} />}
            {each.ok > 0 && <div className="bar-part bar-ok" style={{ height: height(each.ok) }} />}
            {each.ok + each.bad + each.other === 0 && <div className="bar-none" />}
            <div className="bar-day">{each.day.slice(8)}</div>
          </div>
        </Tooltip>
      ))}
    </div>
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
