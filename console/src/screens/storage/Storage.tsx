import { Button, Group, Menu, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { enc, useBuckets, useTables } from "../../shared/api/hooks";
import type { Bucket, Table as StoredTable } from "../../shared/api/types";
import { bytes, count } from "../../shared/format";
import { Empty, Go, Loaded, Page, Section, tablePath, When } from "../../shared/parts";
import { useRefusal } from "../../shared/rights";
import { useAddress } from "../../shared/useAddress";
import { NewBucket, NewTable } from "./NewTable";
import { Upload } from "./Upload";

const COLUMNS_SHOWN = 5;

export function Storage() {
  const buckets = useBuckets();
  const tables = useTables("buckets,columns");
  const [search, setSearch] = useAddress("search");
  const [open, setOpen] = useState<"upload" | "bucket" | "table" | null>(null);
  const close = (): void => setOpen(null);
  const refusal = useRefusal("buckets");
  return (
    <Page title="Storage" actions={
      <>
        {!refusal && <Menu>
          <Menu.Target><Button variant="default">New…</Button></Menu.Target>
          <Menu.Dropdown><Menu.Item onClick={() => setOpen("bucket")}>New bucket</Menu.Item><Menu.Item disabled={!buckets.data?.length} onClick={() => setOpen("table")}>New table</Menu.Item></Menu.Dropdown>
        </Menu>}
        <Act needs="buckets" onClick={() => setOpen("upload")}>Upload CSV</Act>
      </>
    }>
      <TextInput aria-label="Search buckets, tables and columns" placeholder="Search buckets, tables and columns" value={search} onChange={(event) => setSearch(event.currentTarget.value)} maw={360} />
      <Loaded of={buckets}>
        {(found) => found.length === 0 ? (
          <Empty title="There are no tables yet">Upload a CSV file, or run a <Go to="components/configurations">configuration</Go> that reads data.</Empty>
        ) : (
          <Loaded of={tables}>{(all) => <Buckets buckets={found} tables={all} wanted={search.trim().toLowerCase()} />}</Loaded>
        )}
      </Loaded>
      {open === "upload" && <Upload onClose={close} />}
      {open === "bucket" && <NewBucket onClose={close} />}
      {open === "table" && <NewTable onClose={close} />}
    </Page>
  );
}

/** A bucket that has the searched name is shown with all its tables; otherwise only the tables that have it, or a column of it. */
function Buckets({ buckets, tables, wanted }: { buckets: Bucket[]; tables: StoredTable[]; wanted: string }) {
  const has = (text: string): boolean => text.toLowerCase().includes(wanted);
  const byBucket = Map.groupBy(tables, (table) => table.id.slice(0, table.id.lastIndexOf(".")));
  const found = buckets.map((bucket) => {
    const inside = byBucket.get(bucket.id) ?? [];
    const isNamed = has(bucket.id) || has(bucket.displayName);
    return { bucket, isNamed, inside: isNamed ? inside : inside.filter((table) => has(table.name) || has(table.displayName) || (table.columns ?? []).some(has)) };
  }).filter((each) => each.isNamed || each.inside.length);
  if (!found.length) return <Empty title="No bucket, table or column has this name" />;
  return found.map(({ bucket, inside }) => (
    <Section key={bucket.id} title={<Group gap="xs"><Go to={`storage/${enc(bucket.id)}`} fw={650}>{bucket.displayName}</Go><Text size="xs" c="dimmed" className="mono">{bucket.id}</Text></Group>}
      actions={<Text size="xs" c="dimmed">{count(bucket.rowsCount)} rows · {bytes(bucket.dataSizeBytes)}</Text>}>
      <TableList tables={inside} wanted={wanted} />
    </Section>
  ));
}

export function TableList({ tables, wanted = "" }: { tables: StoredTable[]; wanted?: string }) {
  if (!tables.length) return <Empty title="This bucket has no tables">Upload a CSV file into it, or create a table.</Empty>;
  return (
    <div className="list aligned">
      <Table highlightOnHover>
        <Table.Thead><Table.Tr><Table.Th>Table</Table.Th><Table.Th className="number" w={110}>Rows</Table.Th><Table.Th className="number" w={100}>Size</Table.Th><Table.Th w="26%">Key</Table.Th><Table.Th w={130}>Changed</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {tables.map((table) => (
            <Table.Tr key={table.id}>
              <Table.Td className="wrap"><Go to={tablePath(table.id)} size="sm" fw={500}>{table.displayName}</Go><Found table={table} wanted={wanted} /></Table.Td>
              <Table.Td className="number">{count(table.rowsCount)}</Table.Td>
              <Table.Td className="number">{bytes(table.dataSizeBytes)}</Table.Td>
              <Table.Td className="mono wrap">{table.primaryKey.join(", ") || "–"}</Table.Td>
              <Table.Td><When at={table.lastChangeDate} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Found({ table, wanted }: { table: StoredTable; wanted: string }) {
  const columns = wanted ? (table.columns ?? []).filter((name) => name.toLowerCase().includes(wanted)) : [];
  return columns.length ? <Text size="xs" c="dimmed" className="mono wrap">column {columns.slice(0, COLUMNS_SHOWN).join(", ")}</Text> : null;
}
