import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc } from "../../shared/api/hooks";
import type { Preview as Rows, Table } from "../../shared/api/types";
import { count } from "../../shared/format";
import { Grid } from "../../shared/Grid";
import { Empty, Loaded } from "../../shared/parts";

const LIMIT = 1000;
const OPERATORS = [{ value: "eq", label: "is" }, { value: "ne", label: "is not" }, { value: "gt", label: "greater than" }, { value: "lt", label: "less than" }];

interface Filter {
  column: string | null;
  operator: string;
  value: string;
}

/** The first rows, with one filter and an order. The server does both, on all rows. */
export function Preview({ table }: { table: Table }) {
  const [filter, setFilter] = useState<Filter>({ column: null, operator: "eq", value: "" });
  const [order, setOrder] = useState<string | null>(null);
  const [asked] = useDebouncedValue({ filter, order }, 250);
  const rows = useQuery({
    queryKey: ["storage", "preview", table.id, table.lastChangeDate, asked],
    queryFn: async ({ signal }) => toRows(await call<Rows>("storage", `/tables/${enc(table.id)}/data-preview`, { query: toQuery(asked.filter, asked.order), signal })),
    placeholderData: (before) => before,
  });
  const columns = table.columns ?? [];
  return (
    <>
      <Group mb="sm" gap="xs">
        <Select aria-label="Column of the filter" placeholder="Filter a column" data={columns} value={filter.column} onChange={(column) => setFilter({ ...filter, column })} clearable searchable size="xs" w={170} />
        {filter.column && (
          <>
            <Select aria-label="Comparison" data={OPERATORS} value={filter.operator} onChange={(operator) => setFilter({ ...filter, operator: operator ?? "eq" })} allowDeselect={false} size="xs" w={120} />
            <TextInput aria-label="Value of the filter" placeholder="Value" value={filter.value} onChange={(event) => setFilter({ ...filter, value: event.currentTarget.value })} size="xs" w={170} />
          </>
        )}
        <Select aria-label="Order by" placeholder="Order by" data={columns} value={order} onChange={setOrder} clearable searchable size="xs" w={170} />
        <Button size="xs" variant="default" loading={rows.isFetching} onClick={() => void rows.refetch()}>Refresh</Button>
      </Group>
      <Loaded of={rows}>
        {(found) => found.rows.length === 0 ? (
          <Empty title={filter.column ? "No row fits the filter" : "The table has no rows"} />
        ) : (
          <>
            <Grid columns={found.columns} rows={found.rows} label={`Rows of ${table.id}`} />
            <p className="mono" role="status">{found.rows.length < LIMIT ? `${count(found.rows.length)} rows` : `The first ${count(LIMIT)} rows of ${count(table.rowsCount)}`}</p>
          </>
        )}
      </Loaded>
    </>
  );
}

function toQuery(filter: Filter, order: string | null) {
  return {
    format: "json",
    limit: LIMIT,
    ...(filter.column && filter.value !== "" && { whereFilters: [{ column: filter.column, operator: filter.operator, values: [filter.value] }] }),
    ...(order && { orderBy: [{ column: order, order: "ASC" }] }),
  };
}

const toRows = (preview: Rows) => ({ columns: preview.columns, rows: preview.rows.map((row) => row.map((cell) => cell.value)) });
