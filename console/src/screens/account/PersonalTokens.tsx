import { Alert, Button, Code, CopyButton, Group, Modal, MultiSelect, Select, Stack, Switch, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { useApi, useChange } from "../../shared/api/hooks";
import type { IssuedPersonalToken, Membership, PersonalToken } from "../../shared/api/types";
import { Loaded, When } from "../../shared/parts";

const DAY = 86_400;
const EXPIRES = [{ value: String(DAY), label: "in a day" }, { value: String(30 * DAY), label: "in 30 days" }, { value: String(365 * DAY), label: "in a year" }, { value: "0", label: "never" }];

export function PersonalTokens({ projects }: { projects: Membership[] }) {
  const tokens = useApi<PersonalToken[]>("auth", "/personal-tokens");
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<IssuedPersonalToken | null>(null);
  return (
    <Stack>
      <Group justify="space-between"><Text size="sm" c="dimmed" flex={1}>A program that has one acts as you, in your projects.</Text><Button variant="default" onClick={() => setNew(true)}>New token</Button></Group>
      <Loaded of={tokens}>
        {(found) => found.length === 0 ? null : (
          <div className="list">
            <Table aria-label="Personal access tokens">
              <Table.Thead><Table.Tr><Table.Th>Token</Table.Th><Table.Th>Projects</Table.Th><Table.Th>May</Table.Th><Table.Th>Created</Table.Th><Table.Th>Last used</Table.Th><Table.Th>Expires</Table.Th><Table.Th /></Table.Tr></Table.Thead>
              <Table.Tbody>{found.map((each) => <One key={each.id} token={each} projects={projects} />)}</Table.Tbody>
            </Table>
          </div>
        )}
      </Loaded>
      {isNew && <NewToken projects={projects} onClose={() => setNew(false)} onMade={setMade} />}
      {made && <Made token={made} onClose={() => setMade(null)} />}
    </Stack>
  );
}

function One({ token, projects }: { token: PersonalToken; projects: Membership[] }) {
  const revoke = useChange(() => call("auth", `/personal-tokens/${token.id}`, { method: "DELETE" }));
  const names = token.projectIds.map((id) => projects.find((each) => each.id === id)?.name ?? `project ${id}`);
  return (
    <Table.Tr>
      <Table.Td><Text size="sm" className="wrap">{token.description}</Text></Table.Td>
      <Table.Td><Text size="sm" className="wrap">{names.join(", ") || "all"}</Text></Table.Td>
      <Table.Td>{token.onlyReads ? "read" : "read and write"}</Table.Td>
      <Table.Td><When at={token.created} /></Table.Td>
      <Table.Td>{token.lastUsed ? <When at={token.lastUsed} /> : "never"}</Table.Td>
      <Table.Td>{token.expires ? <When at={token.expires} /> : "never"}</Table.Td>
      <Table.Td><Button size="compact-xs" variant="subtle" color="red" loading={revoke.isPending} onClick={() => revoke.mutate(undefined)} aria-label={`Revoke ${token.description}`}>Revoke</Button></Table.Td>
    </Table.Tr>
  );
}

function NewToken({ projects, onClose, onMade }: { projects: Membership[]; onClose: () => void; onMade: (token: IssuedPersonalToken) => void }) {
  const [description, setDescription] = useState("");
  const [only, setOnly] = useState<string[]>([]);
  const [onlyReads, setOnlyReads] = useState(false);
  const [expires, setExpires] = useState(String(30 * DAY));
  const body = { description, projectIds: only.map(Number), onlyReads, expiresIn: Number(expires) || null };
  const create = useChange(() => call<IssuedPersonalToken>("auth", "/personal-tokens", { method: "POST", body }), (token) => { onClose(); onMade(token); });
  return (
    <Modal opened onClose={onClose} title="New personal access token" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <TextInput label="Description" value={description} onChange={(event) => setDescription(event.currentTarget.value)} required data-autofocus />
          <MultiSelect label="Only these projects" placeholder={only.length ? "" : "all of yours"} data={projects.map((each) => ({ value: String(each.id), label: `${each.name} (${each.id})` }))} value={only} onChange={setOnly} />
          <Switch label="It reads, and changes nothing" checked={onlyReads} onChange={(event) => setOnlyReads(event.currentTarget.checked)} />
          <Select label="Expires" data={EXPIRES} value={expires} onChange={(value) => setExpires(value ?? "0")} allowDeselect={false} />
          <Group justify="flex-end"><Button type="submit" loading={create.isPending}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Made({ token, onClose }: { token: IssuedPersonalToken; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="The new token" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Alert color="yellow" variant="light" title="It is shown only now">Programs send it as <Code>Authorization: Bearer …</Code> with the number of the project in <Code>X-KBC-ProjectId</Code>.</Alert>
        <Code block className="wrap" data-testid="new-token">{token.token}</Code>
        <Group justify="flex-end"><CopyButton value={token.token}>{({ copied, copy }) => <Button variant="default" onClick={copy}>{copied ? "Copied" : "Copy"}</Button>}</CopyButton><Button onClick={onClose}>Done</Button></Group>
      </Stack>
    </Modal>
  );
}
