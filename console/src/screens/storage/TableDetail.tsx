import { Button, Group, Progress, Table, Tabs, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { enc, showError, useApi } from "../../shared/api/hooks";
import { downloadTable } from "../../shared/api/transfers";
import type { LogEvent, Table as StoredTable } from "../../shared/api/types";
import { bytes, count } from "../../shared/format";
import { configPath, Empty, Facts, Go, Loaded, Page, Section, When } from "../../shared/parts";
import { Preview } from "./Preview";
import { Upload } from "./Upload";

export function TableDetail() {
  const { bucket = "", table: name = "" } = useParams({ strict: false });
  const id = `${bucket}.${name}`;
  const table = useApi<StoredTable>("storage", `/tables/${enc(id)}`);
  return (
    <Page title={table.data?.displayName ?? name} actions={table.data && <Actions table={table.data} />}>
      <Loaded of={table}>{(found) => <Detail table={found} />}</Loaded>
    </Page>
  );
}

function Actions({ table }: { table: StoredTable }) {
  const [isUpload, setUpload] = useState(false);
  const [progress, setProgress] = useState<{ done: number; text: string } | null>(null);
  async function download(): Promise<void> {
    try {
      await downloadTable(table.id, table.columns ?? [], (done, text) => setProgress({ done, text }));
    } catch (error) {
      showError(error as Error);
    }
    setProgress(null);
  }
  return (
    <>
      {progress && <Group gap="xs" role="status"><Text size="xs">{progress.text}</Text><Progress w={90} value={progress.done * 100} aria-label="Progress of the export" /></Group>}
      <Button variant="default" loading={Boolean(progress)} onClick={() => void download()}>Export CSV</Button>
      <Button variant="default" onClick={() => setUpload(true)}>Upload rows</Button>
      {isUpload && <Upload tableId={table.id} onClose={() => setUpload(false)} />}
    </>
  );
}

function Detail({ table }: { table: StoredTable }) {
  const metadata = new Map((table.metadata ?? []).map((each) => [each.key, each.value]));
  const [component, config] = [metadata.get("KBC.lastUpdatedBy.component.id"), metadata.get("KBC.lastUpdatedBy.configuration.id")];
  return (
    <>
      <Section title="Table">
        <Facts of={[
          ["Id", <span className="mono">{table.id}</span>],
          ["Rows", count(table.rowsCount)],
          ["Size", bytes(table.dataSizeBytes)],
          ["Primary key", table.primaryKey.join(", ") || "none"],
          ["Changed", <When at={table.lastChangeDate} />],
          ...(component && config ? [["Written by", <Go to={configPath(component, config)} size="sm">{config}</Go>] as [string, React.ReactNode]] : []),
        ]} />
      </Section>
      <Tabs defaultValue="preview" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
          <Tabs.Tab value="columns">Columns ({table.columns?.length ?? 0})</Tabs.Tab>
          <Tabs.Tab value="events">Events</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="preview" pt="md"><Preview table={table} /></Tabs.Panel>
        <Tabs.Panel value="columns" pt="md"><Columns table={table} /></Tabs.Panel>
        <Tabs.Panel value="events" pt="md"><Events tableId={table.id} /></Tabs.Panel>
      </Tabs>
    </>
  );
}

function Columns({ table }: { table: StoredTable }) {
  const defined = new Map((table.definition?.columns ?? []).map((each) => [each.name, each]));
  return (
    <div className="list">
      <Table>
        <Table.Thead><Table.Tr><Table.Th>Column</Table.Th><Table.Th>Type</Table.Th><Table.Th>Null allowed</Table.Th><Table.Th>Key</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {(table.columns ?? []).map((name) => {
            const type = defined.get(name)?.definition;
            return (
              <Table.Tr key={name}>
                <Table.Td className="mono">{name}</Table.Td>
                <Table.Td className="mono">{type ? `${type.type}${type.length ? `(${type.length})` : ""}` : "text"}</Table.Td>
                <Table.Td>{type ? (type.nullable ? "yes" : "no") : "–"}</Table.Td>
                <Table.Td>{table.primaryKey.includes(name) ? "yes" : ""}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Events({ tableId }: { tableId: string }) {
  const events = useApi<LogEvent[]>("storage", `/tables/${enc(tableId)}/events`, { limit: 100 });
  return (
    <Loaded of={events}>
      {(found) => found.length === 0 ? <Empty title="Nothing has happened to this table yet" /> : (
        <div className="list">
          <Table>
            <Table.Thead><Table.Tr><Table.Th>When</Table.Th><Table.Th>Event</Table.Th><Table.Th>Message</Table.Th><Table.Th>By</Table.Th></Table.Tr></Table.Thead>
            <Table.Tbody>
              {found.map((event) => (
                <Table.Tr key={event.id}>
                  <Table.Td><When at={event.created} /></Table.Td>
                  <Table.Td className="mono">{event.event}</Table.Td>
                  <Table.Td className="wrap">{event.message}</Table.Td>
                  <Table.Td>{event.token.name}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Loaded>
  );
}
