// What is in the columns of a table: computed by the engine when the tab is opened.
import { Anchor, Button, Group, Progress, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc } from "../../shared/api/hooks";
import { finish } from "../../shared/api/transfers";
import type { ColumnProfile, StorageJob, Table as StoredTable, TableProfile } from "../../shared/api/types";
import { count } from "../../shared/format";
import { Empty, Loaded } from "../../shared/parts";
import { ColumnValues } from "./ColumnValues";

/** Larger tables are read only if somebody asks for it. */
const READ_ALONE = 20_000_000;

export function Profile({ table }: { table: StoredTable }) {
  const [isAsked, setAsked] = useState((table.rowsCount ?? 0) <= READ_ALONE);
  const profile = useQuery({
    queryKey: ["profile", table.id, table.lastChangeDate],
    queryFn: async ({ signal }) => (await finish(await call<StorageJob>("storage", `/tables/${enc(table.id)}/profile`, { method: "POST" }), signal)).results as unknown as TableProfile,
    enabled: isAsked && Boolean(table.rowsCount),
    staleTime: Infinity,
  });
  if (!table.rowsCount) return <Empty title="The table has no rows" />;
  if (!isAsked) return <Empty title={`All ${count(table.rowsCount)} rows are read`}><Button mt="sm" onClick={() => setAsked(true)}>Compute the profile</Button></Empty>;
  return <Loaded of={profile}>{(found) => <Columns table={table} profile={found} />}</Loaded>;
}

function Columns({ table, profile }: { table: StoredTable; profile: TableProfile }) {
  const [open, setOpen] = useState<string | null>(null);
  const rows = profile.profile.rowCount;
  const isEstimate = profile.columns.some((each) => each.profile.isEstimate);
  return (
    <Stack>
      <div className="list">
        <Table aria-label={`Profile of ${table.id}`}>
          <Table.Thead><Table.Tr><Table.Th>Column</Table.Th><Table.Th>Empty</Table.Th><Table.Th className="number">Distinct</Table.Th><Table.Th>Smallest</Table.Th><Table.Th>Largest</Table.Th><Table.Th className="number">Mean</Table.Th><Table.Th className="number">Median</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>{profile.columns.map((each) => <Line key={each.name} column={each} rows={rows} isOpen={open === each.name} onOpen={() => setOpen(open === each.name ? null : each.name)} table={table} />)}</Table.Tbody>
        </Table>
      </div>
      {isEstimate && <Text size="xs" c="dimmed">Distinct values and the median are estimated, since the table is large.</Text>}
    </Stack>
  );
}

function Line({ column: { name, profile }, rows, isOpen, onOpen, table }: { column: ColumnProfile; rows: number; isOpen: boolean; onOpen: () => void; table: StoredTable }) {
  const { nullCount, distinctCount, minValue, maxValue, numericStatistics: numbers } = profile;
  const share = rows ? (100 * nullCount) / rows : 0;
  return (
    <>
      <Table.Tr>
        <Table.Td><Anchor component="button" className="mono" aria-expanded={isOpen} title={`Values of ${name}`} onClick={onOpen}>{name}</Anchor></Table.Td>
        <Table.Td><Group gap="xs" wrap="nowrap"><Progress value={share} w={60} size="sm" color="orange" aria-label={`Share of empty values of ${name}`} /><Text size="sm">{count(nullCount)}</Text></Group></Table.Td>
        <Table.Td className="number">{count(distinctCount)}</Table.Td>
        <Table.Td className="mono cut" maw={200} title={minValue}>{minValue}</Table.Td>
        <Table.Td className="mono cut" maw={200} title={maxValue}>{maxValue}</Table.Td>
        <Table.Td className="number">{numbers ? short(numbers.avg) : ""}</Table.Td>
        <Table.Td className="number">{numbers ? short(numbers.median) : ""}</Table.Td>
      </Table.Tr>
      {isOpen && <Table.Tr><Table.Td colSpan={7}><ColumnValues table={table} name={name} numbers={numbers ?? undefined} /></Table.Td></Table.Tr>}
    </>
  );
}

const short = (value: number): string => value.toLocaleString("en", { maximumSignificantDigits: 6 });
