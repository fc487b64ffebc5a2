// Which tables a transformation reads and writes, and what they are called in its code.
import { ActionIcon, Autocomplete, Button, Checkbox, MultiSelect, Table, TagsInput, Text, TextInput } from "@mantine/core";
import type { ReactNode } from "react";
import type { Table as StoredTable } from "../../shared/api/types";
import { Section } from "../../shared/parts";
import { type Input, nameFor, type Output, replaceAt } from "./document";

interface Props<T> {
  rows: T[];
  tables: StoredTable[];
  onChange: (rows: T[]) => void;
}

const SUGGESTED = 50;

/** The row with this part; what is empty, and need not be said, is left out. */
function put<T extends object>(row: T, part: Partial<T>): T {
  const [[key, value] = ["", ""]] = Object.entries(part);
  const { [key as keyof T]: _, ...rest } = row;
  return (value === "" || value === false || (Array.isArray(value) && !value.length) ? rest : { ...row, ...part }) as T;
}

export function Inputs({ rows, tables, onChange }: Props<Input>) {
  const change = (at: number, row: Input): void => onChange(replaceAt(rows, at, row));
  const choose = (at: number, row: Input, source: string): void => {
    const isNamed = row.destination && row.destination !== nameFor(row.source ?? "");
    change(at, { ...row, source, destination: isNamed ? row.destination : nameFor(source) } as Input);
  };
  return (
    <Section title="Tables it reads" actions={<Button size="compact-sm" variant="default" onClick={() => onChange([...rows, { source: "", destination: "" }])}>Add table to read</Button>}>
      <Lines names={["Table in Storage", "Name in the code", "Columns", "Only rows changed since"]} count={rows.length} empty="It reads no table of Storage.">
        {rows.map((row, at) => (
          <Table.Tr key={at}>
            <Table.Td miw={220}><Autocomplete aria-label={`Table ${at + 1} to read`} size="xs" limit={SUGGESTED} data={tables.map(({ id }) => id)} value={row.source ?? ""} onChange={(source) => choose(at, row, source)} /></Table.Td>
            <Table.Td miw={140}><TextInput aria-label={`Name in the code of table ${at + 1}`} size="xs" value={row.destination ?? ""} onChange={(event) => change(at, { ...row, destination: event.currentTarget.value })} /></Table.Td>
            <Table.Td miw={180}><MultiSelect aria-label={`Columns of table ${at + 1}`} size="xs" searchable placeholder={row.columns?.length ? "" : "all"} data={columnsOf(tables, row)} value={row.columns ?? []} onChange={(columns) => change(at, put(row, { columns }))} /></Table.Td>
            <Table.Td miw={130}><Autocomplete aria-label={`Only rows of table ${at + 1} changed since`} size="xs" placeholder="any time" data={["adaptive", "-1 hour", "-1 day", "-7 days"]} value={row.changed_since ?? ""} onChange={(value) => change(at, put(row, { changed_since: value }))} /></Table.Td>
            <Remove what={row.source || `table ${at + 1} to read`} onClick={() => onChange(replaceAt(rows, at))} />
          </Table.Tr>
        ))}
      </Lines>
    </Section>
  );
}

/** Columns that are chosen and not there any more can still be seen and removed. */
const columnsOf = (tables: StoredTable[], { source, columns = [] }: Input): string[] => [...new Set([...(tables.find(({ id }) => id === source)?.columns ?? []), ...columns])];

export function Outputs({ rows, tables, onChange }: Props<Output>) {
  const change = (at: number, row: Output): void => onChange(replaceAt(rows, at, row));
  return (
    <Section title="Tables it writes" actions={<Button size="compact-sm" variant="default" onClick={() => onChange([...rows, { source: "", destination: "" }])}>Add table to write</Button>}>
      <Lines names={["Name in the code", "Table in Storage", "Primary key", "What is there"]} count={rows.length} empty="Add the tables that the code makes: others are gone when it ends.">
        {rows.map((row, at) => (
          <Table.Tr key={at}>
            <Table.Td miw={140}><TextInput aria-label={`Name in the code of output ${at + 1}`} size="xs" value={row.source ?? ""} onChange={(event) => change(at, { ...row, source: event.currentTarget.value })} /></Table.Td>
            <Table.Td miw={220}><Autocomplete aria-label={`Table ${at + 1} to write`} size="xs" limit={SUGGESTED} placeholder="out.c-main.totals" data={tables.map(({ id }) => id)} value={row.destination ?? ""} onChange={(destination) => change(at, { ...row, destination })} /></Table.Td>
            <Table.Td miw={180}><TagsInput aria-label={`Primary key of output ${at + 1}`} size="xs" value={row.primary_key ?? []} onChange={(key) => change(at, put(row, { primary_key: key }))} /></Table.Td>
            <Table.Td><Checkbox aria-label={`Output ${at + 1} is added to what is there`} size="xs" label={row.incremental ? "kept, rows are added" : "replaced"} checked={row.incremental ?? false} onChange={(event) => change(at, put(row, { incremental: event.currentTarget.checked }))} /></Table.Td>
            <Remove what={row.destination || `output ${at + 1}`} onClick={() => onChange(replaceAt(rows, at))} />
          </Table.Tr>
        ))}
      </Lines>
    </Section>
  );
}

function Lines({ names, count, empty, children }: { names: string[]; count: number; empty: string; children: ReactNode }) {
  if (!count) return <Text size="sm" c="dimmed">{empty}</Text>;
  return (
    <div className="list">
      <Table verticalSpacing={4}>
        <Table.Thead><Table.Tr>{names.map((name) => <Table.Th key={name}>{name}</Table.Th>)}<Table.Th aria-label="Remove" /></Table.Tr></Table.Thead>
        <Table.Tbody>{children}</Table.Tbody>
      </Table>
    </div>
  );
}

function Remove({ what, onClick }: { what: string; onClick: () => void }) {
  return <Table.Td w={30}><ActionIcon variant="subtle" color="gray" aria-label={`Remove ${what}`} onClick={onClick}>×</ActionIcon></Table.Td>;
}
