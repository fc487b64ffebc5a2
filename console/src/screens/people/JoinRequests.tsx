import { Button, Group, Table, Text } from "@mantine/core";
import { shownProject } from "../../shared/api/address";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange } from "../../shared/api/hooks";
import type { JoinRequest } from "../../shared/api/types";
import { Loaded, When } from "../../shared/parts";

const path = (): string => `/projects/${enc(shownProject())}/join-requests`;

export function JoinRequests() {
  const requests = useApi<JoinRequest[]>("manage", path());
  return (
    <Loaded of={requests}>
      {(found) => found.length === 0 ? <Text size="sm" c="dimmed">Nobody has asked to join.</Text> : (
        <div className="list">
          <Table aria-label="Requests to join">
            <Table.Thead><Table.Tr><Table.Th>Person</Table.Th><Table.Th>Reason</Table.Th><Table.Th>Asked</Table.Th><Table.Th /></Table.Tr></Table.Thead>
            <Table.Tbody>{found.map((each) => <One key={each.id} request={each} />)}</Table.Tbody>
          </Table>
        </div>
      )}
    </Loaded>
  );
}

function One({ request }: { request: JoinRequest }) {
  const accept = useChange(() => call("manage", `${path()}/${request.id}`, { method: "PUT" }));
  const reject = useChange(() => call("manage", `${path()}/${request.id}`, { method: "DELETE" }));
  return (
    <Table.Tr>
      <Table.Td miw={150}><Text size="sm" className="wrap">{request.user.name || request.user.email}</Text><Text size="xs" c="dimmed" className="wrap">{request.user.email}</Text></Table.Td>
      <Table.Td><Text size="sm" className="wrap">{request.reason || "–"}</Text></Table.Td>
      <Table.Td><When at={request.created} /></Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap">
          <Button size="compact-xs" loading={accept.isPending} onClick={() => accept.mutate(undefined)} aria-label={`Accept ${request.user.email}`}>Accept</Button>
          <Button size="compact-xs" variant="subtle" color="red" loading={reject.isPending} onClick={() => reject.mutate(undefined)} aria-label={`Reject ${request.user.email}`}>Reject</Button>
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
