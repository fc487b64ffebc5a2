import { Button, Select, Stack, Switch, Table, Text } from "@mantine/core";
import { useState } from "react";
import { shownProject } from "../../shared/api/address";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange, useMe } from "../../shared/api/hooks";
import type { Member, RemovedMember, Role } from "../../shared/api/types";
import { Confirm } from "../../shared/Confirm";
import { Loaded, When } from "../../shared/parts";
import { ROLE_NAMES, ROLES } from "../../shared/roles";
import { MadeTokens } from "./MadeTokens";

const usersPath = (): string => `/projects/${enc(shownProject())}/users`;

export const useMembers = () => useApi<Member[]>("manage", usersPath());

export function Members({ manages }: { manages: boolean }) {
  const members = useMembers();
  const me = useMe();
  // Not in the row of the member, which is gone by then.
  const [gone, setGone] = useState<Gone | null>(null);
  return (
    <>
      <Loaded of={members}>
        {(found) => (
          <div className="list">
            <Table aria-label="Members">
              <Table.Thead><Table.Tr><Table.Th>Person</Table.Th><Table.Th>Role</Table.Th><Table.Th>Since</Table.Th><Table.Th>Until</Table.Th>{manages && <Table.Th />}</Table.Tr></Table.Thead>
              <Table.Tbody>{found.map((each) => <One key={each.id} member={each} manages={manages} isSelf={each.id === me.data?.user.id} onRemoved={setGone} />)}</Table.Tbody>
            </Table>
          </div>
        )}
      </Loaded>
      {gone && <MadeTokens email={gone.email} removal={gone.removal} onClose={() => setGone(null)} />}
    </>
  );
}

interface Gone {
  email: string;
  removal: RemovedMember;
}

interface OneProps {
  member: Member;
  manages: boolean;
  isSelf: boolean;
  onRemoved: (gone: Gone) => void;
}

function One({ member, manages, isSelf, onRemoved }: OneProps) {
  const [isRemoving, setRemoving] = useState(false);
  return (
    <Table.Tr>
      <Table.Td miw={150}><Text size="sm" className="wrap">{member.name || member.email}{isSelf && " (you)"}</Text><Text size="xs" c="dimmed" className="wrap">{member.email}</Text></Table.Td>
      <Table.Td>{manages && !isSelf ? <RoleSelect member={member} /> : ROLE_NAMES[member.role]}</Table.Td>
      <Table.Td><When at={member.created} /></Table.Td>
      <Table.Td>{member.expires ? <When at={member.expires} /> : "no end"}</Table.Td>
      {manages && <Table.Td><Button size="compact-xs" variant="subtle" color="red" onClick={() => setRemoving(true)} aria-label={isSelf ? "Leave" : `Remove ${member.email}`}>{isSelf ? "Leave" : "Remove"}</Button></Table.Td>}
      {isRemoving && <Remove member={member} isSelf={isSelf} onRemoved={onRemoved} onClose={() => setRemoving(false)} />}
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

interface RemoveProps {
  member: Member;
  isSelf: boolean;
  onRemoved: (gone: Gone) => void;
  onClose: () => void;
}

function Remove({ member: { id, email }, isSelf, onRemoved, onClose }: RemoveProps) {
  const [revokes, setRevokes] = useState(false);
  const remove = async () => {
    const removal = await call<RemovedMember>("manage", `${usersPath()}/${id}`, { method: "DELETE", query: { revokeTokens: revokes } });
    if (!isSelf && removal.tokens.length > 0) onRemoved({ email, removal });
  };
  return (
    <Confirm title={isSelf ? "Leave the project?" : `Remove ${email}?`} action={isSelf ? "Leave" : "Remove"} work={remove} onClose={onClose}>
      <Stack gap="sm">
        {isSelf ? "You cannot" : `${email} cannot`} open the project any more, at once.
        <Switch checked={revokes} onChange={(event) => setRevokes(event.currentTarget.checked)} label={`Revoke the tokens that ${isSelf ? "you have" : "this person has"} made for programs, too`} />
      </Stack>
    </Confirm>
  );
}
