import { Button, Modal, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useChange } from "../../shared/api/hooks";
import type { MadeToken, RemovedMember } from "../../shared/api/types";
import { When } from "../../shared/parts";

/** What somebody who was removed has left: tokens of programs, which go on working until they are revoked. */
export function MadeTokens({ email, removal: { tokens, areTokensRevoked }, onClose }: { email: string; removal: RemovedMember; onClose: () => void }) {
  return (
    <Modal opened onClose={onClose} size="lg" title={`Tokens that ${email} has made`} closeButtonProps={{ "aria-label": "Close" }}>
      <Stack>
        <Text size="sm">{areTokensRevoked ? "They were revoked: programs that used them need new ones." : "They still work. Revoke those that no program of the project needs."}</Text>
        <Table aria-label="Tokens made for programs">
          <Table.Thead><Table.Tr><Table.Th>Token</Table.Th><Table.Th>Created</Table.Th><Table.Th /></Table.Tr></Table.Thead>
          <Table.Tbody>{tokens.map((each) => <One key={each.id} token={each} wasRevoked={areTokensRevoked} />)}</Table.Tbody>
        </Table>
      </Stack>
    </Modal>
  );
}

function One({ token: { id, description, created }, wasRevoked }: { token: MadeToken; wasRevoked: boolean }) {
  const [isRevoked, setRevoked] = useState(wasRevoked);
  const revoke = useChange(() => call("storage", `/tokens/${enc(id)}`, { method: "DELETE" }), () => setRevoked(true));
  return (
    <Table.Tr>
      <Table.Td><Text size="sm" className="wrap">{description}</Text><Text size="xs" c="dimmed">id {id}</Text></Table.Td>
      <Table.Td><When at={created} /></Table.Td>
      <Table.Td>{isRevoked ? <Text size="sm" c="dimmed">revoked</Text> : <Button size="compact-xs" variant="subtle" color="red" aria-label={`Revoke ${description}`} loading={revoke.isPending} onClick={() => revoke.mutate(undefined)}>Revoke</Button>}</Table.Td>
    </Table.Tr>
  );
}
