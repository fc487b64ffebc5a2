import { Group, MultiSelect, SegmentedControl, Select, Text } from "@mantine/core";
import { useMemo, useState } from "react";
import { Chart } from "../../shared/Chart";
import { count } from "../../shared/format";
import { Empty } from "../../shared/parts";

type Row = (string | null)[];
const DRAWN = 500;
const SERIES = 6;

/** One column names the bars or points, the others are their heights. */
export function ResultChart({ columns, rows, title }: { columns: string[]; rows: Row[]; title: string }) {
  const shown = rows.slice(0, DRAWN);
  const numeric = useMemo(() => columns.map((_, at) => isNumeric(rows.slice(0, DRAWN), at)), [columns, rows]);
  const [kind, setKind] = useState<"bar" | "line">(rows.length > 40 ? "line" : "bar");
  const [across, setAcross] = useState(String(Math.max(0, numeric.indexOf(false))));
  const [up, setUp] = useState(numeric.flatMap((is, at) => (is && String(at) !== across ? [String(at)] : [])).slice(0, 1));
  const choices = columns.map((label, at) => ({ value: String(at), label: label || `column ${at + 1}` }));
  if (!numeric.includes(true)) return <Empty title="No column has only numbers">A chart needs a column with numbers, such as a count or a sum.</Empty>;
  return (
    <>
      <Group mb="sm" gap="xs" align="flex-end">
        <SegmentedControl size="xs" aria-label="Kind of chart" value={kind} onChange={(value) => setKind(value as "bar" | "line")} data={[{ value: "bar", label: "Bars" }, { value: "line", label: "Lines" }]} />
        <Select size="xs" label="Labels" data={choices} value={across} onChange={(value) => setAcross(value ?? "0")} allowDeselect={false} w={170} />
        <MultiSelect size="xs" label="Values" data={choices.filter(({ value }) => numeric[Number(value)])} value={up} onChange={setUp} maxValues={SERIES} w={260} />
      </Group>
      <Chart kind={kind} title={`Chart of ${title}`} height={300} labels={shown.map((row) => row[Number(across)] ?? "null")}
        series={up.map((at) => ({ name: columns[Number(at)] ?? "", values: shown.map((row) => toNumber(row[Number(at)])) }))} />
      {rows.length > DRAWN && <Text size="xs" c="dimmed" role="status">The first {count(DRAWN)} of {count(rows.length)} rows are drawn. Group them in the query to see all.</Text>}
    </>
  );
}

function isNumeric(rows: Row[], at: number): boolean {
  const values = rows.map((row) => row[at]).filter((value) => value !== null && value !== undefined && value !== "");
  return values.length > 0 && values.every((value) => Number.isFinite(Number(value)));
}

const toNumber = (value: string | null | undefined): number | null => (value === null || value === undefined || value === "" ? null : Number(value));
