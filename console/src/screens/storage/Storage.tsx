import { Button, Group, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { enc, useBuckets, useTables } from "../../shared/api/hooks";
import type { Bucket, Table as StoredTable } from "../../shared/api/types";
import { bytes, count } from "../../shared/format";
import { Empty, Go, Loaded, Page, Section, tablePath, When } from "../../shared/parts";
import { Upload } from "./Upload";

export function Storage() {
  const buckets = useBuckets();
  const tables = useTables("buckets");
  const [search, setSearch] = useState("");
  const [isUpload, setUpload] = useState(false);
  const wanted = search.trim().toLowerCase();
  return (
    <Page title="Storage" actions={<Button onClick={() => setUpload(true)}>Upload CSV</Button>}>
      <TextInput aria-label="Search tables" placeholder="Search tables" value={search} onChange={(event) => setSearch(event.currentTarget.value)} maw={360} />
      <Loaded of={buckets}>
        {(found) => found.length === 0 ? (
          <Empty title="There are no tables yet">Upload a CSV file, or run a <Go to="components/configurations">configuration</Go> that reads data.</Empty>
        ) : (
          <Loaded of={tables}>{(all) => <Buckets buckets={found} tables={all.filter((table) => table.id.toLowerCase().includes(wanted))} isSearch={Boolean(wanted)} />}</Loaded>
        )}
      </Loaded>
      {isUpload && <Upload onClose={() => setUpload(false)} />}
    </Page>
  );
}

function Buckets({ buckets, tables, isSearch }: { buckets: Bucket[]; tables: StoredTable[]; isSearch: boolean }) {
  const byBucket = Map.groupBy(tables, (table) => table.id.slice(0, table.id.lastIndexOf(".")));
  const shown = buckets.filter((bucket) => !isSearch || byBucket.has(bucket.id));
  if (!shown.length) return <Empty title="No table has this name" />;
  return shown.map((bucket) => (
    <Section key={bucket.id} title={<Group gap="xs"><Go to={`storage/${enc(bucket.id)}`} fw={650}>{bucket.displayName}</Go><Text size="xs" c="dimmed" className="mono">{bucket.id}</Text></Group>}
      actions={<Text size="xs" c="dimmed">{count(bucket.rowsCount)} rows · {bytes(bucket.dataSizeBytes)}</Text>}>
      <TableList tables={byBucket.get(bucket.id) ?? []} />
    </Section>
  ));
}

export function TableList({ tables }: { tables: StoredTable[] }) {
  if (!tables.length) return <Empty title="This bucket has no tables" />;
  return (
    <div className="list">
      <Table highlightOnHover>
        <Table.Thead><Table.Tr><Table.Th>Table</Table.Th><Table.Th className="number">Rows</Table.Th><Table.Th className="number">Size</Table.Th><Table.Th>Key</Table.Th><Table.Th>Changed</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {tables.map((table) => (
            <Table.Tr key={table.id}>
              <Table.Td><Go to={tablePath(table.id)} fw={500}>{table.displayName}</Go></Table.Td>
              <Table.Td className="number">{count(table.rowsCount)}</Table.Td>
              <Table.Td className="number">{bytes(table.dataSizeBytes)}</Table.Td>
              <Table.Td className="mono">{table.primaryKey.join(", ") || "–"}</Table.Td>
              <Table.Td><When at={table.lastChangeDate} /></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
