import { Button, Group, Modal, Select, Stack, Table, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, useApi, useBuckets, useChange } from "../../shared/api/hooks";
import { finish } from "../../shared/api/transfers";
import type { Snapshot, StorageJob, Table as StoredTable } from "../../shared/api/types";
import { Confirm } from "../../shared/Confirm";
import { bytes, count, moment } from "../../shared/format";
import { Empty, Loaded, tablePath, useScreenPath, When } from "../../shared/parts";

type Shown = { what: "new" } | { what: "past" } | { what: "restore" | "delete"; snapshot: Snapshot };

export function Snapshots({ table }: { table: StoredTable }) {
  const path = `/tables/${enc(table.id)}/snapshots`;
  const snapshots = useApi<Snapshot[]>("storage", path);
  const [shown, setShown] = useState<Shown | null>(null);
  const close = (): void => setShown(null);
  return (
    <Stack>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">A snapshot is a copy of the rows as they are now. A new table can be made from it at any time.</Text>
        <Group gap="xs">
          <Act variant="default" onClick={() => setShown({ what: "past" })}>Restore an earlier time</Act>
          <Act onClick={() => setShown({ what: "new" })}>Create snapshot</Act>
        </Group>
      </Group>
      <Loaded of={snapshots}>
        {(found) => found.length ? <List snapshots={found} onShow={setShown} /> : <Empty title="There are no snapshots">Create one before you change or delete rows.</Empty>}
      </Loaded>
      {shown?.what === "new" && <NewSnapshot path={path} onClose={close} />}
      {shown?.what === "past" && <Restore table={table} onClose={close} />}
      {shown?.what === "restore" && <Restore table={table} snapshot={shown.snapshot} onClose={close} />}
      {shown?.what === "delete" && (
        <Confirm title={`Delete snapshot ${shown.snapshot.id}`} action="Delete the snapshot" onClose={close} work={() => call<StorageJob>("storage", `/snapshots/${shown.snapshot.id}`, { method: "DELETE" }).then((job) => finish(job))}>
          The copy of {count(shown.snapshot.rowsCount)} rows from {moment(shown.snapshot.createdTime)} is lost. The table itself stays as it is.
        </Confirm>
      )}
    </Stack>
  );
}

function List({ snapshots, onShow }: { snapshots: Snapshot[]; onShow: (shown: Shown) => void }) {
  return (
    <div className="list">
      <Table>
        <Table.Thead><Table.Tr><Table.Th>Snapshot</Table.Th><Table.Th>Created</Table.Th><Table.Th>Description</Table.Th><Table.Th className="number">Rows</Table.Th><Table.Th className="number">Size</Table.Th><Table.Th>By</Table.Th><Table.Th /></Table.Tr></Table.Thead>
        <Table.Tbody>
          {snapshots.map((each) => (
            <Table.Tr key={each.id}>
              <Table.Td className="mono">{each.id}</Table.Td>
              <Table.Td><When at={each.createdTime} /></Table.Td>
              <Table.Td className="wrap">{each.description || "–"}</Table.Td>
              <Table.Td className="number">{count(each.rowsCount)}</Table.Td>
              <Table.Td className="number">{bytes(each.dataSizeBytes)}</Table.Td>
              <Table.Td>{each.creatorToken.description}</Table.Td>
              <Table.Td>
                <Group gap="xs" wrap="nowrap" justify="flex-end">
                  <Act size="compact-xs" variant="default" onClick={() => onShow({ what: "restore", snapshot: each })}>Restore</Act>
                  <Act size="compact-xs" variant="subtle" color="red" onClick={() => onShow({ what: "delete", snapshot: each })}>Delete</Act>
                </Group>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function NewSnapshot({ path, onClose }: { path: string; onClose: () => void }) {
  const [description, setDescription] = useState("");
  const create = useChange(async () => finish(await call<StorageJob>("storage", path, { method: "POST", body: { description } })), onClose);
  return (
    <Modal opened onClose={onClose} title="Create a snapshot" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <TextInput label="Description" placeholder="before the move" value={description} onChange={(event) => setDescription(event.currentTarget.value)} data-autofocus />
          <Group justify="flex-end"><Button type="submit" loading={create.isPending}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** A new table, from a snapshot or from the table as it was. The table that exists is not touched. */
function Restore({ table, snapshot, onClose }: { table: StoredTable; snapshot?: Snapshot; onClose: () => void }) {
  const buckets = useBuckets();
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [bucket, setBucket] = useState<string | null>(table.id.slice(0, table.id.lastIndexOf(".")));
  const [name, setName] = useState(`${table.name}_restored`);
  const [time, setTime] = useState(new Date(Date.now() - 3_600_000).toISOString().slice(0, 16));
  const source = snapshot ? { snapshotId: snapshot.id } : { sourceTableId: table.id, timestamp: `${time}:00+00:00` };
  const restore = useChange(async () => {
    const job = await call<StorageJob>("storage", `/buckets/${enc(bucket ?? "")}/tables-async`, { method: "POST", body: { name, ...source } });
    return ((await finish(job)).results as { id: string }).id;
  }, (id) => { onClose(); void navigate({ to: screenPath(tablePath(id)) as "/" }); });
  return (
    <Modal opened onClose={onClose} title={snapshot ? `A table from snapshot ${snapshot.id}` : "A table from an earlier time"} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); restore.mutate(undefined); }}>
        <Stack>
          <Text size="sm">{snapshot ? `${count(snapshot.rowsCount)} rows of ${moment(snapshot.createdTime)} become a new table.` : "The rows as they were then become a new table. The last seven days are kept."} {table.id} stays as it is.</Text>
          {!snapshot && <TextInput label="Time (UTC)" type="datetime-local" value={time} onChange={(event) => setTime(event.currentTarget.value)} required />}
          <Select label="Bucket" data={(buckets.data ?? []).map((each) => each.id)} value={bucket} onChange={setBucket} allowDeselect={false} searchable />
          <TextInput label="Name of the new table" value={name} onChange={(event) => setName(event.currentTarget.value)} required />
          <Group justify="flex-end"><Button type="submit" loading={restore.isPending}>Restore</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
