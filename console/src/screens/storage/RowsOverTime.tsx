import { Text } from "@mantine/core";
import { enc, useApi } from "../../shared/api/hooks";
import type { LogEvent, Table } from "../../shared/api/types";
import { Chart } from "../../shared/Chart";
import { count, moment } from "../../shared/format";
import { Empty, Loaded } from "../../shared/parts";

const POINTS = 200;

/** From the events of the table: each change of its rows tells how many there are since then. */
export function RowsOverTime({ table }: { table: Table }) {
  const events = useApi<LogEvent[]>("storage", `/tables/${enc(table.id)}/events`, { limit: 2000 }, 15_000);
  return (
    <Loaded of={events}>
      {(found) => {
        const points = toPoints(found);
        if (!points.length) return <Empty title="No change is known yet">Each load of the table is drawn here, from now on. Events are kept for 180 days.</Empty>;
        return (
          <>
            <Chart kind="line" title={`Rows of ${table.id} over time`} height={260} labels={points.map((each) => moment(each.at).slice(5, 16))} series={[{ name: "rows", values: points.map((each) => each.rows) }]} />
            <Text size="sm" c="dimmed" mt="xs">{count(points.length)} changes, the last <b>{moment(points.at(-1)?.at)}</b>: {count(points.at(-1)?.rows)} rows.</Text>
          </>
        );
      }}
    </Loaded>
  );
}

function toPoints(events: LogEvent[]): { at: string; rows: number }[] {
  const known = events.flatMap((event) => {
    const { totalRowsCount: rows } = (event.results ?? {}) as { totalRowsCount?: number };
    return typeof rows === "number" ? [{ at: event.created, rows }] : [];
  });
  return known.slice(0, POINTS).reverse();
}
