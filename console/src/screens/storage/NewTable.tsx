import { ActionIcon, Button, Checkbox, Group, Modal, Select, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useBuckets, useChange } from "../../shared/api/hooks";
import { finish } from "../../shared/api/transfers";
import type { Bucket, StorageJob } from "../../shared/api/types";
import { Icon } from "../../shared/Icon";
import { tablePath, useScreenPath } from "../../shared/parts";

const TYPES = ["STRING", "INTEGER", "NUMERIC", "FLOAT", "BOOLEAN", "DATE", "TIMESTAMP"];

interface Column {
  name: string;
  type: string;
  isKey: boolean;
}
const BLANK: Column = { name: "", type: "STRING", isKey: false };

export function TypeSelect({ value, onChange, ...rest }: { value: string; onChange: (type: string) => void; label?: string; "aria-label"?: string }) {
  return <Select data={TYPES} value={value} onChange={(type) => onChange(type ?? "STRING")} allowDeselect={false} {...rest} />;
}

/** A table without rows, whose columns have names and types. */
export function NewTable({ bucket: given, onClose }: { bucket?: string; onClose: () => void }) {
  const buckets = useBuckets();
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [bucket, setBucket] = useState<string | null>(given ?? null);
  const [name, setName] = useState("");
  const [columns, setColumns] = useState<Column[]>([{ name: "id", type: "INTEGER", isKey: true }, BLANK]);
  const change = (at: number, part: Partial<Column>): void => setColumns(columns.map((each, index) => (index === at ? { ...each, ...part } : each)));
  const create = useChange(async () => {
    const body = { name, primaryKeysNames: columns.filter((each) => each.isKey).map((each) => each.name), columns: columns.filter((each) => each.name).map((each) => ({ name: each.name, basetype: each.type })) };
    return ((await finish(await call<StorageJob>("storage", `/buckets/${enc(bucket ?? "")}/tables-definition`, { method: "POST", body }))).results as { id: string }).id;
  }, (id) => { onClose(); void navigate({ to: screenPath(tablePath(id)) as "/" }); });
  return (
    <Modal opened onClose={onClose} title="New table" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <Select label="Bucket" data={(buckets.data ?? []).map((each) => each.id)} value={bucket} onChange={setBucket} searchable required />
          <TextInput label="Name of the table" value={name} onChange={(event) => setName(event.currentTarget.value)} required />
          <Text size="sm" fw={500}>Columns</Text>
          {columns.map((column, at) => (
            <Group key={at} gap="xs" wrap="nowrap">
              <TextInput aria-label={`Name of column ${at + 1}`} placeholder="Name" value={column.name} onChange={(event) => change(at, { name: event.currentTarget.value })} style={{ flex: 1 }} />
              <TypeSelect aria-label={`Type of column ${at + 1}`} value={column.type} onChange={(type) => change(at, { type })} />
              <Checkbox label="Key" aria-label={`Column ${at + 1} is in the primary key`} checked={column.isKey} onChange={(event) => change(at, { isKey: event.currentTarget.checked })} />
              <ActionIcon variant="subtle" color="gray" aria-label={`Remove column ${at + 1}`} disabled={columns.length === 1} onClick={() => setColumns(columns.filter((_, index) => index !== at))}><Icon path="M6 6l12 12M18 6L6 18" /></ActionIcon>
            </Group>
          ))}
          <Group justify="space-between"><Button variant="default" onClick={() => setColumns([...columns, BLANK])}>Add column</Button><Button type="submit" disabled={!bucket} loading={create.isPending}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

export function NewBucket({ onClose }: { onClose: () => void }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [body, setBody] = useState({ stage: "in", name: "", description: "" });
  const create = useChange(() => call<Bucket>("storage", "/buckets", { method: "POST", body }), ({ id }) => { onClose(); void navigate({ to: screenPath(`storage/${enc(id)}`) as "/" }); });
  return (
    <Modal opened onClose={onClose} title="New bucket" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <TextInput label="Name" value={body.name} onChange={(event) => setBody({ ...body, name: event.currentTarget.value })} required data-autofocus />
          <Select label="Stage" description="in: read from a source; out: made by transformations" data={["in", "out"]} value={body.stage} onChange={(stage) => setBody({ ...body, stage: stage ?? "in" })} allowDeselect={false} />
          <TextInput label="Description" value={body.description} onChange={(event) => setBody({ ...body, description: event.currentTarget.value })} />
          <Group justify="flex-end"><Button type="submit" loading={create.isPending}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
