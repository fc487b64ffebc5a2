import { Accordion, Badge, Group, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, useChange } from "../../shared/api/hooks";
import type { Row } from "../../shared/api/types";
import { dropDraftsOf } from "../../shared/drafts";
import { Empty } from "../../shared/parts";
import { useRefusal } from "../../shared/rights";
import { JsonForm } from "./JsonForm";

export function Rows({ path, rows, schema, empty }: { path: string; rows: Row[]; schema: unknown; empty: object | undefined }) {
  const [name, setName] = useState("");
  const refusal = useRefusal();
  const add = useChange(() => call("storage", `${path}/rows`, { method: "POST", body: { name, configuration: empty ?? {} } }), () => setName(""));
  return (
    <Stack>
      {rows.length === 0 && <Empty title="This configuration has no rows">Rows are parts of a configuration that run one after the other, such as one for each table. Most configurations need none.</Empty>}
      <Accordion variant="separated">
        {rows.map((row) => <OneRow key={row.id} path={path} row={row} schema={schema} />)}
      </Accordion>
      <form onSubmit={(event) => { event.preventDefault(); add.mutate(undefined); }}>
        <Group>
          <TextInput disabled={Boolean(refusal)} aria-label="Name of the new row" placeholder="Name of the new row" value={name} onChange={(event) => setName(event.currentTarget.value)} required />
          <Act type="submit" variant="default" loading={add.isPending}>Add row</Act>
        </Group>
      </form>
    </Stack>
  );
}

function OneRow({ path, row, schema }: { path: string; row: Row; schema: unknown }) {
  const place = `${path}/rows/${enc(row.id)}`;
  const remove = useChange(() => call("storage", place, { method: "DELETE" }), () => dropDraftsOf(place));
  const turn = useChange(() => call("storage", place, { method: "PUT", body: { isDisabled: !row.isDisabled } }));
  return (
    <Accordion.Item value={row.id}>
      <Accordion.Control><Group gap="xs"><Text fw={500}>{row.name || row.id}</Text>{row.isDisabled && <Badge color="gray">off</Badge>}</Group></Accordion.Control>
      <Accordion.Panel>
        <JsonForm path={place} title={row.name || row.id} value={row.configuration} version={row.version} schema={schema} />
        <Group mt="sm">
          <Act size="xs" variant="default" loading={turn.isPending} onClick={() => turn.mutate(undefined)}>{row.isDisabled ? "Turn on" : "Turn off"}</Act>
          <Act size="xs" variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>Delete row</Act>
        </Group>
      </Accordion.Panel>
    </Accordion.Item>
  );
}
