import { Button, Select, Table, Text } from "@mantine/core";
import { useState } from "react";
import { shownProject } from "../../shared/api/address";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange, useMe } from "../../shared/api/hooks";
import type { Member, Role } from "../../shared/api/types";
import { Confirm } from "../../shared/Confirm";
import { Loaded, When } from "../../shared/parts";
import { ROLE_NAMES, ROLES } from "../../shared/roles";

const usersPath = (): string => `/projects/${enc(shownProject())}/users`;

export const useMembers = () => useApi<Member[]>("manage", usersPath());

export function Members({ manages }: { manages: boolean }) {
  const members = useMembers();
  const me = useMe();
  return (
    <Loaded of={members}>
      {(found) => (
        <div className="list">
          <Table aria-label="Members">
            <Table.Thead><Table.Tr><Table.Th>Person</Table.Th><Table.Th>Role</Table.Th><Table.Th>Since</Table.Th><Table.Th>Until</Table.Th>{manages && <Table.Th />}</Table.Tr></Table.Thead>
            <Table.Tbody>{found.map((each) => <One key={each.id} member={each} manages={manages} isSelf={each.id === me.data?.user.id} />)}</Table.Tbody>
          </Table>
        </div>
      )}
    </Loaded>
  );
}

function One({ member, manages, isSelf }: { member: Member; manages: boolean; isSelf: boolean }) {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Table.Tr>
      <Table.Td miw={150}><Text size="sm" className="wrap">{member.name || member.email}{isSelf && " (you)"}</Text><Text size="xs" c="dimmed" className="wrap">{member.email}</Text></Table.Td>
      <Table.Td>{manages && !isSelf ? <RoleSelect member={member} /> : ROLE_NAMES[member.role]}</Table.Td>
      <Table.Td><When at={member.created} /></Table.Td>
      <Table.Td>{member.expires ? <When at={member.expires} /> : "no end"}</Table.Td>
      {manages && <Table.Td><Button size="compact-xs" variant="light" color="red" onClick={() => setRemoving(true)} aria-label={isSelf ? "Leave" : `Remove ${member.email}`}>{isSelf ? "Leave" : "Remove"}</Button></Table.Td>}
      {isRemoving && <Remove member={member} isSelf={isSelf} onClose={() => setRemoving(false)} />}
    </Table.Tr>
  );
}

function RoleSelect({ member: { id, email, role } }: { member: Member }) {
  const change = useChange((wanted: Role) => call("manage", `${usersPath()}/${id}`, { method: "PATCH", body: { role: wanted } }));
  return (
    <Select
      size="xs" w={210} data={ROLES} value={role} allowDeselect={false} disabled={change.isPending} aria-label={`Role of ${email}`}
      comboboxProps={{ width: 320, position: "bottom-start" }} onChange={(wanted) => wanted && change.mutate(wanted as Role)}
    />
  );
}

function Remove({ member, isSelf, onClose }: { member: Member; isSelf: boolean; onClose: () => void }) {
  const title = isSelf ? "Leave the project?" : `Remove ${member.email}?`;
  return (
    <Confirm title={title} action={isSelf ? "Leave" : "Remove"} work={() => call("manage", `${usersPath()}/${member.id}`, { method: "DELETE" })} onClose={onClose}>
      {isSelf ? "You cannot" : `${member.email} cannot`} open the project any more, at once. Tokens that were made for programs stay.
    </Confirm>
  );
}
