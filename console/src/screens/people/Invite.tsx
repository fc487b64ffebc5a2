import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { shownProject } from "../../shared/api/address";
import { call } from "../../shared/api/client";
import { enc, useChange } from "../../shared/api/hooks";
import type { Role } from "../../shared/api/types";
import { Failure } from "../../shared/parts";
import { ROLES } from "../../shared/roles";

const DAY = 86_400;
const ENDS = [{ value: "0", label: "never" }, { value: String(DAY), label: "after a day" }, { value: String(30 * DAY), label: "after 30 days" }, { value: String(365 * DAY), label: "after a year" }];

export function Invite({ onClose }: { onClose: () => void }) {
  const [email, setEmail] = useState("");
  const [role, setRole] = useState<Role>("guest");
  const [ends, setEnds] = useState("0");
  const [reason, setReason] = useState("");
  const body = { email: email.trim(), role, reason, expirationSeconds: Number(ends) || null };
  const invite = useChange(() => call("manage", `/projects/${enc(shownProject())}/invitations`, { method: "POST", body }), onClose);
  return (
    <Modal opened onClose={onClose} title="Invite somebody" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); invite.mutate(undefined); }}>
        <Stack>
          <TextInput label="E-mail address" description="A link is sent there, which works once, for 7 days." type="email" value={email} onChange={(event) => setEmail(event.currentTarget.value)} required data-autofocus />
          <Select label="Role" data={ROLES} value={role} onChange={(value) => setRole((value ?? "guest") as Role)} allowDeselect={false} />
          <Select label="Membership ends" data={ENDS} value={ends} onChange={(value) => setEnds(value ?? "0")} allowDeselect={false} />
          <TextInput label="Reason" value={reason} onChange={(event) => setReason(event.currentTarget.value)} />
          {invite.error && <Failure error={invite.error} />}
          <Group justify="flex-end"><Button type="submit" loading={invite.isPending}>Send invitation</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
