import type { DayTotals } from "../../shared/api/types";
import { Chart } from "../../shared/Chart";
import { Empty } from "../../shared/parts";

export function JobChart({ days }: { days: DayTotals[] }) {
  const good = days.map(({ statuses }) => statuses["success"] ?? 0);
  const bad = days.map(({ statuses }) => statuses["error"] ?? 0);
  const other = days.map(({ statuses }, at) => sum(Object.values(statuses)) - good[at]! - bad[at]!);
  if (!sum([...good, ...bad, ...other])) return <Empty title={`No job has ended in ${days.length} days`}>Each day has a bar of its jobs here.</Empty>;
  return (
    <Chart kind="bar" isStacked title={`Jobs by day: ${sum(good)} succeeded and ${sum(bad)} failed in ${days.length} days.`} height={190} labels={labelsOf(days)} series={[
      { name: "succeeded", values: good, color: "var(--good)" },
      { name: "failed", values: bad, color: "var(--bad)" },
      { name: "other", values: other, color: "var(--neutral)" },
    ]} />
  );
}

export function RowsChart({ days }: { days: DayTotals[] }) {
  const rows = days.map((day) => day.rowsWritten);
  if (!sum(rows)) return <Empty title={`No rows were loaded in ${days.length} days`}>Each day has a bar of the rows that jobs have written to tables.</Empty>;
  return <Chart kind="bar" title={`Rows loaded by day, in ${days.length} days`} height={190} labels={labelsOf(days)} series={[{ name: "rows", values: rows }]} />;
}

const labelsOf = (days: DayTotals[]): string[] => days.map(({ day }) => day.slice(5));

export const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);
