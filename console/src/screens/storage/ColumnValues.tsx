// The values of a column that come most often, and how its numbers are spread.
import { SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import type { ColumnProfile, Table } from "../../shared/api/types";
import { Chart } from "../../shared/Chart";
import { Loaded } from "../../shared/parts";
import { useRows } from "../sql/rows";
import { quoted } from "../sql/statements";

type Numbers = NonNullable<ColumnProfile["profile"]["numericStatistics"]>;

const TOP = 10;
const BINS = 20;

export function ColumnValues({ table, name, numbers }: { table: Table; name: string; numbers: Numbers | undefined }) {
  const read = useRows();
  const statements = [topOf(table, name), ...(numbers && numbers.max > numbers.min ? [spreadOf(table, name, numbers)] : [])];
  const values = useQuery({ queryKey: ["values", table.id, name, table.lastChangeDate], queryFn: () => read(statements), staleTime: Infinity });
  return (
    <Loaded of={values}>
      {([top = [], spread]) => (
        <SimpleGrid cols={{ base: 1, md: spread ? 2 : 1 }}>
          <Counts title={`Most frequent values of ${name}`} labels={top.map(([value]) => value ?? "null")} counts={top.map((row) => Number(row[1]))} />
          {spread && numbers && <Counts title={`Numbers of ${name}`} labels={edgesOf(numbers)} counts={fill(spread)} />}
        </SimpleGrid>
      )}
    </Loaded>
  );
}

function Counts({ title, labels, counts }: { title: string; labels: string[]; counts: number[] }) {
  return (
    <div>
      <Text size="sm" fw={600} mb={4}>{title}</Text>
      <Chart kind="bar" title={title} height={170} labels={labels} series={[{ name: "rows", values: counts }]} />
    </div>
  );
}

const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const topOf = (table: Table, name: string): string => `SELECT CAST(${quote(name)} AS VARCHAR) AS value, count(*) AS rows FROM ${quoted(table)} GROUP BY 1 ORDER BY 2 DESC, 1 LIMIT ${TOP}`;

function spreadOf(table: Table, name: string, { min, max }: Numbers): string {
  const at = `CAST(floor((TRY_CAST(${quote(name)} AS DOUBLE) - ${min}) / ${(max - min) / BINS}) AS INTEGER)`;
  return `SELECT greatest(0, least(${BINS - 1}, ${at})) AS bin, count(*) AS rows FROM ${quoted(table)} WHERE TRY_CAST(${quote(name)} AS DOUBLE) IS NOT NULL GROUP BY 1 ORDER BY 1`;
}

function edgesOf({ min, max }: Numbers): string[] {
  return Array.from({ length: BINS }, (_, at) => (min + ((max - min) * at) / BINS).toLocaleString("en", { maximumSignificantDigits: 4 }));
}

function fill(rows: (string | null)[][]): number[] {
  const counts = new Map(rows.map(([bin, found]) => [Number(bin), Number(found)]));
  return Array.from({ length: BINS }, (_, at) => counts.get(at) ?? 0);
}
