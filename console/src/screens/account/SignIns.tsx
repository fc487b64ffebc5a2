import { Badge, Button, Group, Stack, Table, Text } from "@mantine/core";
import { call } from "../../shared/api/client";
import { useApi, useChange, useSignOut } from "../../shared/api/hooks";
import type { SignIn } from "../../shared/api/types";
import { Loaded, When } from "../../shared/parts";

export function SignIns() {
  const found = useApi<SignIn[]>("auth", "/sessions");
  const leave = useSignOut();
  const everywhere = useChange(() => endAll(found.data ?? []), leave);
  return (
    <Stack>
      <Loaded of={found}>
        {(all) => (
          <div className="list">
            <Table aria-label="Sign-ins">
              <Table.Thead><Table.Tr><Table.Th>Of</Table.Th><Table.Th>Since</Table.Th><Table.Th>Until</Table.Th><Table.Th /></Table.Tr></Table.Thead>
              <Table.Tbody>{all.map((each) => <One key={each.id} signIn={each} />)}</Table.Tbody>
            </Table>
          </div>
        )}
      </Loaded>
      <Group justify="space-between">
        <Text size="sm" c="dimmed">Personal access tokens stay: revoke them above.</Text>
        <Button variant="subtle" color="red" loading={everywhere.isPending} onClick={() => everywhere.mutate(undefined)}>Sign out everywhere</Button>
      </Group>
    </Stack>
  );
}

function One({ signIn }: { signIn: SignIn }) {
  const end = useChange(() => call("auth", `/sessions/${signIn.id}`, { method: "DELETE" }));
  return (
    <Table.Tr>
      <Table.Td><Group gap="xs"><Badge variant="default" tt="none">{signIn.type}</Badge><Text size="sm" className="wrap">{signIn.isCurrent ? "this one" : signIn.description !== signIn.type && signIn.description}</Text></Group></Table.Td>
      <Table.Td><When at={signIn.created} /></Table.Td>
      <Table.Td><When at={signIn.expires} /></Table.Td>
      <Table.Td>{!signIn.isCurrent && <Button size="compact-xs" variant="subtle" color="red" loading={end.isPending} onClick={() => end.mutate(undefined)}>End</Button>}</Table.Td>
    </Table.Tr>
  );
}

/** All but this one, which ends last. One that has ended meanwhile is not an error. */
async function endAll(all: SignIn[]): Promise<void> {
  for (const each of all) if (!each.isCurrent) await call("auth", `/sessions/${each.id}`, { method: "DELETE" }).catch(() => undefined);
}
