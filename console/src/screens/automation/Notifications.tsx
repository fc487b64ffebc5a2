import { Button, Group, Modal, Select, Stack, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange } from "../../shared/api/hooks";
import type { Delivery, Subscription } from "../../shared/api/types";
import { Confirm } from "../../shared/Confirm";
import { Empty, Loaded, Status, When } from "../../shared/parts";
import { Needs } from "../../shared/rights";
import { type Target, TargetSelect } from "./targets";

const EVENTS = [
  { value: "job-failed", label: "a job fails" }, { value: "job-succeeded", label: "a job succeeds" },
  { value: "job-succeeded-with-warning", label: "a job ends with a warning" }, { value: "job-processing-long", label: "a job runs longer than usual" },
];
const wordsOf = (event: string): string => EVENTS.find((each) => each.value === event)?.label ?? event;

export function Notifications() {
  const subscriptions = useApi<Subscription[]>("notification", "/project-subscriptions");
  const [isNew, setNew] = useState(false);
  return (
    <Needs of="buckets"><Stack>
      <Group justify="flex-end"><Act onClick={() => setNew(true)}>New notification</Act></Group>
      <Loaded of={subscriptions}>
        {(found) => found.length === 0 ? <Empty title="Nobody is notified">A notification sends an e-mail or calls a URL when a job fails or ends.</Empty> : (
          <div className="list">
            <Table>
              <Table.Thead><Table.Tr><Table.Th>Event</Table.Th><Table.Th>Only if</Table.Th><Table.Th>Sent to</Table.Th><Table.Th>Created</Table.Th><Table.Th /></Table.Tr></Table.Thead>
              <Table.Tbody>{found.map((each) => <One key={each.id} subscription={each} />)}</Table.Tbody>
            </Table>
          </div>
        )}
      </Loaded>
      {isNew && <NotificationForm onClose={() => setNew(false)} />}
    </Stack></Needs>
  );
}

function One({ subscription }: { subscription: Subscription }) {
  const [open, setOpen] = useState<"edit" | "delete" | "sent" | null>(null);
  const close = (): void => setOpen(null);
  const to = subscription.recipient.address ?? subscription.recipient.url;
  return (
    <Table.Tr>
      <Table.Td>{wordsOf(subscription.event)}</Table.Td>
      <Table.Td>{subscription.filters.map((each) => <Text key={each.field} size="sm">{each.field} {each.operator} {String(each.value)}</Text>)}</Table.Td>
      <Table.Td className="wrap">{to}</Table.Td>
      <Table.Td><When at={subscription.createdAt} /></Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap" justify="flex-end">
          <Button size="compact-xs" variant="default" onClick={() => setOpen("sent")}>Sent</Button>
          <Act size="compact-xs" variant="default" onClick={() => setOpen("edit")}>Edit</Act>
          <Act size="compact-xs" variant="subtle" color="red" onClick={() => setOpen("delete")}>Delete</Act>
        </Group>
        {open === "edit" && <NotificationForm known={subscription} onClose={close} />}
        {open === "sent" && <Deliveries id={subscription.id} onClose={close} />}
        {open === "delete" && <Confirm title="Delete the notification" action="Delete the notification" onClose={close} work={() => remove(subscription.id)}>{to} will not be told any more when {wordsOf(subscription.event)}.</Confirm>}
      </Table.Td>
    </Table.Tr>
  );
}

const remove = (id: string) => call("notification", `/project-subscriptions/${enc(id)}`, { method: "DELETE" });
const COMPONENT = "job.component.id";
const CONFIGURATION = "job.configuration.id";

/** A change is a new notification in place of the old one: the service has no other way. */
function NotificationForm({ known, onClose }: { known?: Subscription; onClose: () => void }) {
  const valueOf = (field: string): string => String(known?.filters.find((each) => each.field === field)?.value ?? "");
  const [event, setEvent] = useState(known?.event ?? "job-failed");
  const [channel, setChannel] = useState<string>(known?.recipient.channel ?? "email");
  const [address, setAddress] = useState(known?.recipient.address ?? known?.recipient.url ?? "");
  const [target, setTarget] = useState<Target | null>(valueOf(CONFIGURATION) ? { component: valueOf(COMPONENT), config: valueOf(CONFIGURATION) } : null);
  const others = (known?.filters ?? []).filter((each) => ![COMPONENT, CONFIGURATION].includes(each.field));
  const filters = [...others, ...(target ? [{ field: COMPONENT, value: target.component }, { field: CONFIGURATION, value: target.config }] : [])];
  const recipient = channel === "email" ? { channel, address } : { channel, url: address };
  const save = useChange(async () => {
    await call("notification", "/project-subscriptions", { method: "POST", body: { event, recipient, filters } });
    if (known) await remove(known.id);
  }, onClose);
  return (
    <Modal opened onClose={onClose} title={known ? "Change the notification" : "New notification"} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(submitted) => { submitted.preventDefault(); save.mutate(undefined); }}>
        <Stack>
          <Select label="When" data={EVENTS} value={event} onChange={(value) => setEvent(value ?? "job-failed")} allowDeselect={false} />
          <TargetSelect label="Only of this configuration" isOptional value={target} onChange={setTarget} />
          <Select label="By" data={[{ value: "email", label: "E-mail" }, { value: "webhook", label: "Webhook" }]} value={channel} onChange={(value) => setChannel(value ?? "email")} allowDeselect={false} />
          <TextInput label={channel === "email" ? "Address" : "URL"} type={channel === "email" ? "email" : "url"} value={address} onChange={(typed) => setAddress(typed.currentTarget.value)} required />
          <Group justify="flex-end"><Button type="submit" loading={save.isPending}>{known ? "Save" : "Create"}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Deliveries({ id, onClose }: { id: string; onClose: () => void }) {
  const deliveries = useApi<Delivery[]>("notification", `/project-subscriptions/${enc(id)}/deliveries`, { limit: 50 });
  return (
    <Modal opened onClose={onClose} title="What was sent" size="lg" closeButtonProps={{ "aria-label": "Close" }}>
      <Loaded of={deliveries}>
        {(found) => found.length === 0 ? <Empty title="Nothing was sent yet">Each notification is listed here, with the reason if it could not be sent.</Empty> : (
          <div className="list"><Table><Table.Tbody>{found.map((each) => <Table.Tr key={each.id}><Table.Td><Status of={each.status} /></Table.Td><Table.Td><When at={each.createdAt} /></Table.Td><Table.Td className="wrap">{each.error ?? ""}</Table.Td></Table.Tr>)}</Table.Tbody></Table></div>
        )}
      </Loaded>
    </Modal>
  );
}
