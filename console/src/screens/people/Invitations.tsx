import { Button, Table, Text } from "@mantine/core";
import { shownProject } from "../../shared/api/address";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange } from "../../shared/api/hooks";
import type { Invitation } from "../../shared/api/types";
import { Loaded, When } from "../../shared/parts";
import { ROLE_NAMES } from "../../shared/roles";

const path = (): string => `/projects/${enc(shownProject())}/invitations`;

export function Invitations({ manages }: { manages: boolean }) {
  const invitations = useApi<Invitation[]>("manage", path());
  return (
    <Loaded of={invitations}>
      {(found) => found.length === 0 ? <Text size="sm" c="dimmed">Nobody is invited at the moment.</Text> : (
        <div className="list">
          <Table aria-label="Invitations">
            <Table.Thead><Table.Tr><Table.Th>To</Table.Th><Table.Th>Role</Table.Th><Table.Th>By</Table.Th><Table.Th>Sent</Table.Th>{manages && <Table.Th />}</Table.Tr></Table.Thead>
            <Table.Tbody>{found.map((each) => <One key={each.id} invitation={each} manages={manages} />)}</Table.Tbody>
          </Table>
        </div>
      )}
    </Loaded>
  );
}

function One({ invitation, manages }: { invitation: Invitation; manages: boolean }) {
  const cancel = useChange(() => call("manage", `${path()}/${invitation.id}`, { method: "DELETE" }));
  return (
    <Table.Tr>
      <Table.Td miw={150}><Text size="sm" className="wrap">{invitation.user.email}</Text>{invitation.reason && <Text size="xs" c="dimmed" className="wrap">{invitation.reason}</Text>}</Table.Td>
      <Table.Td>{invitation.role && ROLE_NAMES[invitation.role]}</Table.Td>
      <Table.Td><Text size="sm" className="wrap">{invitation.creator.name || invitation.creator.email}</Text></Table.Td>
      <Table.Td><When at={invitation.created} /></Table.Td>
      {manages && <Table.Td><Button size="compact-xs" variant="subtle" color="red" loading={cancel.isPending} onClick={() => cancel.mutate(undefined)} aria-label={`Cancel the invitation of ${invitation.user.email}`}>Cancel</Button></Table.Td>}
    </Table.Tr>
  );
}
