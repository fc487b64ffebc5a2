import { Button, Table, Tabs } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, showError, useApi } from "../../shared/api/hooks";
import { downloadTable, finish } from "../../shared/api/transfers";
import type { LogEvent, StorageJob, Table as StoredTable } from "../../shared/api/types";
import { Confirm } from "../../shared/Confirm";
import { bytes, count } from "../../shared/format";
import { configPath, Empty, Facts, Go, Loaded, Page, Section, tablePath, useScreenPath, When } from "../../shared/parts";
import { useNames } from "../../shared/names";
import { Needs } from "../../shared/rights";
import { TransferBar, useTransfer } from "../../shared/Transfer";
import { useAddress } from "../../shared/useAddress";
import { Columns } from "./Columns";
import { Preview } from "./Preview";
import { Profile } from "./Profile";
import { RowsOverTime } from "./RowsOverTime";
import { Snapshots } from "./Snapshots";
import { Upload } from "./Upload";

export function TableDetail() {
  const { bucket = "", table: name = "" } = useParams({ strict: false });
  const id = `${bucket}.${name}`;
  const table = useApi<StoredTable>("storage", `/tables/${enc(id)}`);
  return (
    <Needs of={{ bucket }}>
      <Page title={table.data?.displayName ?? name} actions={table.data && <Actions key={id} table={table.data} />}>
        <Loaded of={table}>{(found) => <Detail key={found.id} table={found} />}</Loaded>
      </Page>
    </Needs>
  );
}

function Actions({ table }: { table: StoredTable }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const transfer = useTransfer();
  const [open, setOpen] = useState<"upload" | "delete" | null>(null);
  const close = (): void => setOpen(null);
  const download = (): void => void transfer.start((progress, signal) => downloadTable(table.id, table.columns ?? [], progress, signal).catch((error: Error) => { if (!signal.aborted) showError(error); }));
  return (
    <>
      <TransferBar of={transfer} label="Progress of the export" />
      <Button variant="default" onClick={() => void navigate({ to: screenPath("sql") as "/", search: { table: table.id } as never })}>Query in SQL</Button>
      <Button variant="default" disabled={Boolean(transfer.now)} onClick={download}>Export CSV</Button>
      {!table.isAlias && <Act variant="default" onClick={() => setOpen("upload")}>Upload rows</Act>}
      <Act variant="subtle" color="red" onClick={() => setOpen("delete")}>Delete</Act>
      {open === "upload" && <Upload tableId={table.id} onClose={close} />}
      {open === "delete" && (
        <Confirm title={`Delete ${table.id}`} action="Delete the table" word={table.name} onClose={close} then={() => void navigate({ to: screenPath(`storage/${enc(table.id.slice(0, table.id.lastIndexOf(".")))}`) as "/" })}
          work={() => call<StorageJob>("storage", `/tables/${enc(table.id)}`, { method: "DELETE" }).then((job) => finish(job))}>
          {table.isAlias ? <>The alias is deleted. Its source keeps its rows.</> : <><b>{count(table.rowsCount)} rows</b> in {table.columns?.length ?? 0} columns ({bytes(table.dataSizeBytes)}) are lost. Configurations that read the table will fail.</>}
        </Confirm>
      )}
    </>
  );
}

function Detail({ table }: { table: StoredTable }) {
  const [tab, setTab] = useAddress("tab", "preview");
  const names = useNames();
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
          ...(table.sourceTable ? [["Alias of", <Go to={tablePath(table.sourceTable.id)} size="sm">{table.sourceTable.id}</Go>] as [string, React.ReactNode]] : []),
          ...(component && config ? [["Written by", <Go to={configPath(component, config)} size="sm" title={config}>{names.config(component, config)}</Go>] as [string, React.ReactNode]] : []),
        ]} />
      </Section>
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="preview">Preview</Tabs.Tab>
          <Tabs.Tab value="columns">Columns ({table.columns?.length ?? 0})</Tabs.Tab>
          {!table.isAlias && <Tabs.Tab value="profile">Profile</Tabs.Tab>}
          <Tabs.Tab value="rows">Rows over time</Tabs.Tab>
          <Tabs.Tab value="snapshots">Snapshots</Tabs.Tab>
          <Tabs.Tab value="events">Events</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="preview" pt="md"><Preview table={table} /></Tabs.Panel>
        <Tabs.Panel value="columns" pt="md"><Columns table={table} /></Tabs.Panel>
        <Tabs.Panel value="profile" pt="md"><Profile table={table} /></Tabs.Panel>
        <Tabs.Panel value="rows" pt="md"><RowsOverTime table={table} /></Tabs.Panel>
        <Tabs.Panel value="snapshots" pt="md"><Snapshots table={table} /></Tabs.Panel>
        <Tabs.Panel value="events" pt="md"><Events tableId={table.id} /></Tabs.Panel>
      </Tabs>
    </>
  );
}

function Events({ tableId }: { tableId: string }) {
  const events = useApi<LogEvent[]>("storage", `/tables/${enc(tableId)}/events`, { limit: 100 }, 15_000);
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
