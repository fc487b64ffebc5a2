import { Button, Group, Modal, MultiSelect, Stack, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { ApiError, call } from "../../shared/api/client";
import { enc, useChange } from "../../shared/api/hooks";
import { finish } from "../../shared/api/transfers";
import type { StorageJob, Table as StoredTable } from "../../shared/api/types";
import { Confirm } from "../../shared/Confirm";
import { count } from "../../shared/format";
import { TypeSelect } from "./NewTable";

type Open = { what: "add" } | { what: "key" } | { what: "drop"; column: string };

/** The names and types of columns, and the primary key, with what may be changed of them. */
export function Columns({ table }: { table: StoredTable }) {
  const [open, setOpen] = useState<Open | null>(null);
  const close = (): void => setOpen(null);
  const path = `/tables/${enc(table.id)}`;
  return (
    <Stack>
      {!table.isAlias && <Group justify="flex-end" gap="xs"><Act variant="default" onClick={() => setOpen({ what: "key" })}>Change primary key</Act><Act variant="default" onClick={() => setOpen({ what: "add" })}>Add column</Act></Group>}
      <List table={table} onDrop={(column) => setOpen({ what: "drop", column })} />
      {open?.what === "add" && <AddColumn path={path} isTyped={Boolean(table.definition)} onClose={close} />}
      {open?.what === "key" && <ChangeKey path={path} table={table} onClose={close} />}
      {open?.what === "drop" && (
        <Confirm title={`Drop the column ${open.column}`} action="Drop the column" onClose={close} work={() => call<StorageJob>("storage", `${path}/columns/${enc(open.column)}`, { method: "DELETE" }).then((job) => finish(job))}>
          Its values in <b>{count(table.rowsCount)} rows</b> of {table.id} are lost.
        </Confirm>
      )}
    </Stack>
  );
}

function List({ table, onDrop }: { table: StoredTable; onDrop: (column: string) => void }) {
  const defined = new Map((table.definition?.columns ?? []).map((each) => [each.name, each]));
  return (
    <div className="list">
      <Table>
        <Table.Thead><Table.Tr><Table.Th>Column</Table.Th><Table.Th>Type</Table.Th><Table.Th>Null allowed</Table.Th><Table.Th>Primary key</Table.Th><Table.Th /></Table.Tr></Table.Thead>
        <Table.Tbody>
          {(table.columns ?? []).map((name) => {
            const type = defined.get(name)?.definition;
            return (
              <Table.Tr key={name}>
                <Table.Td className="mono">{name}</Table.Td>
                <Table.Td className="mono">{type ? `${type.type}${type.length ? `(${type.length})` : ""}` : "text"}</Table.Td>
                <Table.Td>{type ? (type.nullable ? "yes" : "no") : "–"}</Table.Td>
                <Table.Td>{table.primaryKey.includes(name) ? "yes" : ""}</Table.Td>
                <Table.Td ta="right">{!table.isAlias && <Act size="compact-xs" variant="subtle" color="red" aria-label={`Drop ${name}`} onClick={() => onDrop(name)}>Drop</Act>}</Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function AddColumn({ path, isTyped, onClose }: { path: string; isTyped: boolean; onClose: () => void }) {
  const [name, setName] = useState("");
  const [type, setType] = useState("STRING");
  const add = useChange(async () => finish(await call<StorageJob>("storage", `${path}/columns`, { method: "POST", body: { name, ...(isTyped && { basetype: type }) } })), onClose);
  return (
    <Modal opened onClose={onClose} title="Add a column" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); add.mutate(undefined); }}>
        <Stack>
          <TextInput label="Name of the column" value={name} onChange={(event) => setName(event.currentTarget.value)} required data-autofocus />
          {isTyped && <TypeSelect label="Type" value={type} onChange={setType} />}
          <Group justify="flex-end"><Button type="submit" loading={add.isPending}>Add</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

function ChangeKey({ path, table, onClose }: { path: string; table: StoredTable; onClose: () => void }) {
  const [columns, setColumns] = useState(table.primaryKey);
  const change = useChange(() => changeKey(path, table.primaryKey, columns), onClose);
  return (
    <Modal opened onClose={onClose} title="Change the primary key" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); change.mutate(undefined); }}>
        <Stack>
          <Text size="sm">A load replaces the rows with the same key. The values of these columns must be unique.</Text>
          <MultiSelect label="Columns of the key" data={table.columns ?? []} value={columns} onChange={setColumns} searchable clearable />
          <Group justify="flex-end"><Button type="submit" loading={change.isPending}>Save</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** There is one way to change a key: drop it and create another. If the new one is refused, the old one is created again. */
async function changeKey(path: string, before: string[], columns: string[]): Promise<void> {
  if (columns.join("\0") === before.join("\0")) return;
  if (before.length) await finish(await call<StorageJob>("storage", `${path}/primary-key`, { method: "DELETE" }));
  if (columns.length) await createKey(path, columns).catch((error: Error) => restoreKey(path, before, error));
}

async function createKey(path: string, columns: string[]): Promise<void> {
  await finish(await call<StorageJob>("storage", `${path}/primary-key`, { method: "POST", body: { columns } }));
}

async function restoreKey(path: string, before: string[], error: Error): Promise<never> {
  const [status, exceptionId] = error instanceof ApiError ? [error.status, error.exceptionId] : [0, ""];
  if (!before.length) throw error;
  const outcome = await createKey(path, before).then(() => `The table keeps its key: ${before.join(", ")}.`, () => `The table has no primary key now; it was ${before.join(", ")}.`);
  throw new ApiError(`${error.message} ${outcome}`, status, exceptionId);
}
