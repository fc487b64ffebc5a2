import { Alert, Badge, Button, Code, CopyButton, Group, Modal, MultiSelect, Select, Stack, Switch, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, useApi, useBuckets, useChange } from "../../shared/api/hooks";
import type { Token } from "../../shared/api/types";
import { Loaded, When } from "../../shared/parts";

const DAY = 86_400;
const EXPIRES = [{ value: "0", label: "never" }, { value: String(DAY), label: "in a day" }, { value: String(30 * DAY), label: "in 30 days" }, { value: String(365 * DAY), label: "in a year" }];

export function Tokens() {
  const tokens = useApi<Token[]>("storage", "/tokens");
  const [isNew, setNew] = useState(false);
  const [made, setMade] = useState<Token | null>(null);
  return (
    <Stack>
      <Group justify="flex-end"><Act onClick={() => setNew(true)}>New token</Act></Group>
      <Loaded of={tokens}>
        {(found) => (
          <div className="list">
            <Table>
              <Table.Thead><Table.Tr><Table.Th>Token</Table.Th><Table.Th>May</Table.Th><Table.Th>Buckets</Table.Th><Table.Th>Created</Table.Th><Table.Th>Expires</Table.Th><Table.Th /></Table.Tr></Table.Thead>
              <Table.Tbody>{found.map((each) => <One key={each.id} token={each} />)}</Table.Tbody>
            </Table>
          </div>
        )}
      </Loaded>
      {isNew && <NewToken onClose={() => setNew(false)} onMade={setMade} />}
      {made && <Made token={made} onClose={() => setMade(null)} />}
    </Stack>
  );
}

function One({ token }: { token: Token }) {
  const remove = useChange(() => call("storage", `/tokens/${enc(token.id)}`, { method: "DELETE" }));
  const buckets = Object.entries(token.bucketPermissions);
  return (
    <Table.Tr>
      <Table.Td><Text size="sm" className="wrap">{token.description}</Text><Text size="xs" c="dimmed">id {token.id}</Text></Table.Td>
      <Table.Td><Group gap={4}>{permissionsOf(token).map((each) => <Badge key={each} variant="default" tt="none">{each}</Badge>)}</Group></Table.Td>
      <Table.Td><Text size="sm">{token.canManageBuckets ? "all" : buckets.map(([id, right]) => `${id} (${right})`).join(", ") || "none"}</Text></Table.Td>
      <Table.Td><When at={token.created} /></Table.Td>
      <Table.Td>{token.expires ? <When at={token.expires} /> : "never"}</Table.Td>
      <Table.Td>{!token.isMasterToken && <Act size="compact-xs" variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>Revoke</Act>}</Table.Td>
    </Table.Tr>
  );
}

function permissionsOf(token: Token): string[] {
  const rights: [boolean, string][] = [[token.isMasterToken, "master"], [token.canManageTokens, "tokens"], [token.canManageBuckets, "all buckets"], [token.canCreateJobs, "jobs"], [token.canReadAllFileUploads, "all files"]];
  return rights.filter(([has]) => has).map(([, name]) => name);
}

function NewToken({ onClose, onMade }: { onClose: () => void; onMade: (token: Token) => void }) {
  const buckets = useBuckets();
  const [description, setDescription] = useState("");
  const [all, setAll] = useState(false);
  const [jobs, setJobs] = useState(false);
  const [read, setRead] = useState<string[]>([]);
  const [write, setWrite] = useState<string[]>([]);
  const [expires, setExpires] = useState<string>(String(30 * DAY));
  const create = useChange(() => {
    const bucketPermissions = Object.fromEntries([...read.map((id) => [id, "read"]), ...write.map((id) => [id, "write"])]) as Record<string, string>;
    const body = { description, canManageBuckets: all, canCreateJobs: jobs, bucketPermissions, expiresIn: Number(expires) || null };
    return call<Token>("storage", "/tokens", { method: "POST", body });
  }, (token) => { onClose(); onMade(token); });
  const ids = (buckets.data ?? []).map((each) => each.id);
  return (
    <Modal opened onClose={onClose} title="New token" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <TextInput label="Description" value={description} onChange={(event) => setDescription(event.currentTarget.value)} required data-autofocus />
          <Switch label="May read and change all buckets and configurations" checked={all} onChange={(event) => setAll(event.currentTarget.checked)} />
          <Switch label="May run jobs" checked={jobs} onChange={(event) => setJobs(event.currentTarget.checked)} />
          {!all && <MultiSelect label="Buckets that it may read" data={ids} value={read} onChange={setRead} />}
          {!all && <MultiSelect label="Buckets that it may write" data={ids} value={write} onChange={setWrite} />}
          <Select label="Expires" data={EXPIRES} value={expires} onChange={(value) => setExpires(value ?? "0")} allowDeselect={false} />
          <Group justify="flex-end"><Button type="submit" loading={create.isPending}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Made({ token, onClose }: { token: Token; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} title="The new token" closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Alert color="yellow" variant="light" title="It is shown only now">Copy it to where it is used. The list shows only its description.</Alert>
        <Code block className="wrap" data-testid="new-token">{token.token}</Code>
        <Group justify="flex-end"><CopyButton value={token.token ?? ""}>{({ copied, copy }) => <Button variant="default" onClick={copy}>{copied ? "Copied" : "Copy"}</Button>}</CopyButton><Button onClick={onClose}>Done</Button></Group>
      </Stack>
    </Modal>
  );
}
