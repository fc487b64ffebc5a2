import { Button, Group, Modal, Select, Stack, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange } from "../../shared/api/hooks";
import type { Subscription } from "../../shared/api/types";
import { Empty, Loaded, When } from "../../shared/parts";

const EVENTS = ["job-failed", "job-succeeded", "job-succeeded-with-warning", "job-processing-long"];

export function Notifications() {
  const subscriptions = useApi<Subscription[]>("notification", "/project-subscriptions");
  const [isNew, setNew] = useState(false);
  return (
    <Stack>
      <Group justify="flex-end"><Button onClick={() => setNew(true)}>New notification</Button></Group>
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
      {isNew && <NewNotification onClose={() => setNew(false)} />}
    </Stack>
  );
}

function One({ subscription }: { subscription: Subscription }) {
  const remove = useChange(() => call("notification", `/project-subscriptions/${enc(subscription.id)}`, { method: "DELETE" }));
  return (
    <Table.Tr>
      <Table.Td>{subscription.event}</Table.Td>
      <Table.Td>{subscription.filters.map((each) => <Text key={each.field} size="sm">{each.field} {each.operator} {String(each.value)}</Text>)}</Table.Td>
      <Table.Td className="wrap">{subscription.recipient.address ?? subscription.recipient.url}</Table.Td>
      <Table.Td><When at={subscription.createdAt} /></Table.Td>
      <Table.Td><Button size="compact-xs" variant="light" color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>Delete</Button></Table.Td>
    </Table.Tr>
  );
}

function NewNotification({ onClose }: { onClose: () => void }) {
  const [event, setEvent] = useState<string>("job-failed");
  const [channel, setChannel] = useState<string>("email");
  const [address, setAddress] = useState("");
  const recipient = channel === "email" ? { channel, address } : { channel, url: address };
  const create = useChange(() => call("notification", "/project-subscriptions", { method: "POST", body: { event, recipient, filters: [] } }), onClose);
  return (
    <Modal opened onClose={onClose} title="New notification" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(submitted) => { submitted.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <Select label="When" data={EVENTS} value={event} onChange={(value) => setEvent(value ?? "job-failed")} allowDeselect={false} />
          <Select label="By" data={[{ value: "email", label: "E-mail" }, { value: "webhook", label: "Webhook" }]} value={channel} onChange={(value) => setChannel(value ?? "email")} allowDeselect={false} />
          <TextInput label={channel === "email" ? "Address" : "URL"} type={channel === "email" ? "email" : "url"} value={address} onChange={(typed) => setAddress(typed.currentTarget.value)} required />
          <Group justify="flex-end"><Button type="submit" loading={create.isPending}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
