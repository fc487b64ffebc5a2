import { Badge, Button, Group, Modal, PasswordInput, Stack, Switch, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange } from "../../shared/api/hooks";
import type { Variable } from "../../shared/api/types";
import { Empty, Loaded } from "../../shared/parts";

export function Variables() {
  const variables = useApi<Variable[]>("vault", "/variables", { limit: 100 });
  const [isNew, setNew] = useState(false);
  return (
    <Stack>
      <Group justify="flex-end"><Act onClick={() => setNew(true)}>New variable</Act></Group>
      <Loaded of={variables}>
        {(found) => found.length === 0 ? <Empty title="The vault is empty">A variable is used in configurations as <code>{"{{ vault.name }}"}</code>. An encrypted one is never shown again.</Empty> : (
          <div className="list">
            <Table>
              <Table.Thead><Table.Tr><Table.Th>Name</Table.Th><Table.Th>Value</Table.Th><Table.Th>For</Table.Th><Table.Th /></Table.Tr></Table.Thead>
              <Table.Tbody>{found.map((each) => <One key={each.hash} variable={each} />)}</Table.Tbody>
            </Table>
          </div>
        )}
      </Loaded>
      {isNew && <NewVariable onClose={() => setNew(false)} />}
    </Stack>
  );
}

function One({ variable }: { variable: Variable }) {
  const remove = useChange(() => call("vault", `/variables/${enc(variable.hash)}`, { method: "DELETE" }));
  const isSecret = variable.flags.includes("encrypted");
  return (
    <Table.Tr>
      <Table.Td className="mono">{variable.key}</Table.Td>
      <Table.Td>{isSecret ? <Badge variant="default" tt="none">encrypted</Badge> : <span className="mono wrap">{variable.value}</span>}</Table.Td>
      <Table.Td><Text size="sm">{Object.entries(variable.attributes).map(([key, value]) => `${key} ${value}`).join(", ") || "the whole project"}</Text></Table.Td>
      <Table.Td><Act size="compact-xs" variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>Delete</Act></Table.Td>
    </Table.Tr>
  );
}

function NewVariable({ onClose }: { onClose: () => void }) {
  const [key, setKey] = useState("");
  const [value, setValue] = useState("");
  const [isSecret, setSecret] = useState(true);
  const create = useChange(() => call("vault", "/variables", { method: "POST", body: { key, value, flags: isSecret ? ["encrypted"] : [] } }), onClose);
  return (
    <Modal opened onClose={onClose} title="New variable" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <TextInput label="Name" value={key} onChange={(event) => setKey(event.currentTarget.value)} required data-autofocus />
          <PasswordInput label="Value" value={value} onChange={(event) => setValue(event.currentTarget.value)} required autoComplete="off" />
          <Switch label="Encrypted" checked={isSecret} onChange={(event) => setSecret(event.currentTarget.checked)} />
          <Group justify="flex-end"><Button type="submit" loading={create.isPending}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
