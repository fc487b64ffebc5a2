import { ActionIcon, Button, Group, Select, Switch, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc } from "../../shared/api/hooks";
import type { Preview as Rows, Table } from "../../shared/api/types";
import { count } from "../../shared/format";
import { Grid } from "../../shared/Grid";
import { Icon } from "../../shared/Icon";
import { Empty, Loaded } from "../../shared/parts";

const LIMIT = 1000;
const OPERATORS = [
  { value: "eq", label: "is" }, { value: "ne", label: "is not" },
  { value: "gt", label: "greater than" }, { value: "ge", label: "at least" }, { value: "lt", label: "less than" }, { value: "le", label: "at most" },
];

interface Filter {
  column: string | null;
  operator: string;
  value: string;
}

interface Asked {
  filters: Filter[];
  search: string;
  order: string | null;
  isDescending: boolean;
}

const BLANK: Filter = { column: null, operator: "eq", value: "" };

/** The first rows, with filters and an order. The server does both, on all rows. */
export function Preview({ table }: { table: Table }) {
  const [wanted, setWanted] = useState<Asked>({ filters: [BLANK], search: "", order: null, isDescending: false });
  const [asked] = useDebouncedValue(wanted, 250);
  const rows = useQuery({
    queryKey: ["storage", "preview", table.id, table.lastChangeDate, asked],
    queryFn: async ({ signal }) => toRows(await call<Rows>("storage", `/tables/${enc(table.id)}/data-preview`, { query: toQuery(asked), signal })),
    placeholderData: (before) => before,
  });
  const isFiltered = Boolean(asked.search) || asked.filters.some(isUsed);
  return (
    <>
      <Filters columns={table.columns ?? []} wanted={wanted} onChange={setWanted} onRefresh={() => void rows.refetch()} isBusy={rows.isFetching} />
      <Loaded of={rows}>
        {(found) => found.rows.length === 0 ? (
          <Empty title={isFiltered ? "No row fits the filters" : "The table has no rows"}>{isFiltered ? "Change or clear a filter above." : "Upload rows, or run a configuration that writes them."}</Empty>
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

function Filters({ columns, wanted, onChange, onRefresh, isBusy }: { columns: string[]; wanted: Asked; onChange: (asked: Asked) => void; onRefresh: () => void; isBusy: boolean }) {
  const { filters } = wanted;
  const set = (at: number, part: Partial<Filter>): void => onChange({ ...wanted, filters: filters.map((each, index) => (index === at ? { ...each, ...part } : each)) });
  const number = (at: number): string => (at ? ` ${at + 1}` : "");
  return (
    <>
      {filters.map((filter, at) => (
        <Group key={at} mb="xs" gap="xs">
          <Select aria-label={`Column of the filter${number(at)}`} placeholder="Filter a column" data={columns} value={filter.column} onChange={(column) => set(at, { column })} clearable searchable size="xs" w={170} />
          {filter.column && (
            <>
              <Select aria-label={`Comparison${number(at)}`} data={OPERATORS} value={filter.operator} onChange={(operator) => set(at, { operator: operator ?? "eq" })} allowDeselect={false} size="xs" w={120} />
              <TextInput aria-label={`Value of the filter${number(at)}`} placeholder="Value" value={filter.value} onChange={(event) => set(at, { value: event.currentTarget.value })} size="xs" w={170} />
            </>
          )}
          {filters.length > 1 && <ActionIcon variant="subtle" color="gray" aria-label={`Remove filter ${at + 1}`} onClick={() => onChange({ ...wanted, filters: filters.filter((_, index) => index !== at) })}><Icon path="M6 6l12 12M18 6L6 18" size={14} /></ActionIcon>}
          {at === filters.length - 1 && filter.column && <Button size="xs" variant="subtle" onClick={() => onChange({ ...wanted, filters: [...filters, BLANK] })}>And…</Button>}
        </Group>
      ))}
      <Group mb="sm" gap="xs">
        <TextInput aria-label="Text in any column" placeholder="Text in any column" value={wanted.search} onChange={(event) => onChange({ ...wanted, search: event.currentTarget.value })} size="xs" w={170} />
        <Select aria-label="Order by" placeholder="Order by" data={columns} value={wanted.order} onChange={(order) => onChange({ ...wanted, order })} clearable searchable size="xs" w={170} />
        {wanted.order && <Switch size="xs" label="Largest first" checked={wanted.isDescending} onChange={(event) => onChange({ ...wanted, isDescending: event.currentTarget.checked })} />}
        <Button size="xs" variant="default" loading={isBusy} onClick={onRefresh}>Refresh</Button>
      </Group>
    </>
  );
}

const isUsed = (filter: Filter): boolean => Boolean(filter.column) && filter.value !== "";

/** Numbers are compared as numbers where one is smaller than the other; text columns hold numbers too. */
function toQuery({ filters, search, order, isDescending }: Asked) {
  const isNumber = ({ operator, value }: Filter): boolean => !["eq", "ne"].includes(operator) && !Number.isNaN(Number(value));
  return {
    format: "json",
    limit: LIMIT,
    fulltextSearch: search,
    whereFilters: filters.filter(isUsed).map((each) => ({ column: each.column, operator: each.operator, values: [each.value], ...(isNumber(each) && { dataType: "DOUBLE" }) })),
    ...(order && { orderBy: [{ column: order, order: isDescending ? "DESC" : "ASC" }] }),
  };
}

const toRows = (preview: Rows) => ({ columns: preview.columns, rows: preview.rows.map((row) => row.map((cell) => cell.value)) });
