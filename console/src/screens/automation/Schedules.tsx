import { Alert, Button, Group, Modal, Stack, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange } from "../../shared/api/hooks";
import type { Configuration, Schedule } from "../../shared/api/types";
import { moment } from "../../shared/format";
import { configPath, Empty, Go, Loaded, Status } from "../../shared/parts";
import { type Target, TargetSelect } from "./targets";

export function Schedules() {
  const schedules = useApi<Schedule[]>("scheduler", "/schedules", undefined, 15_000);
  const [isNew, setNew] = useState(false);
  return (
    <Stack>
      <Group justify="flex-end"><Button onClick={() => setNew(true)}>New schedule</Button></Group>
      <Loaded of={schedules}>{(found) => found.length ? <List schedules={found} /> : <Empty title="Nothing is scheduled">A schedule runs a configuration or a flow again and again, such as every night.</Empty>}</Loaded>
      {isNew && <NewSchedule onClose={() => setNew(false)} />}
    </Stack>
  );
}

function List({ schedules }: { schedules: Schedule[] }) {
  return (
    <div className="list">
      <Table>
        <Table.Thead><Table.Tr><Table.Th>Runs</Table.Th><Table.Th>When</Table.Th><Table.Th>State</Table.Th><Table.Th>Next runs</Table.Th><Table.Th>Last run</Table.Th><Table.Th /></Table.Tr></Table.Thead>
        <Table.Tbody>{schedules.map((each) => <One key={each.id} schedule={each} />)}</Table.Tbody>
      </Table>
    </div>
  );
}

function One({ schedule: { id, schedule, target, nextRuns, executions, lastError } }: { schedule: Schedule }) {
  const remove = useChange(() => call("scheduler", `/schedules/${enc(id)}`, { method: "DELETE" }));
  const last = executions.at(-1);
  return (
    <Table.Tr>
      <Table.Td><Go to={configPath(target.componentId, target.configurationId)} size="sm">{target.configurationId}</Go><Text size="xs" c="dimmed">{target.componentId}</Text></Table.Td>
      <Table.Td><span className="mono">{schedule.cronTab}</span><Text size="xs" c="dimmed">{schedule.timezone}</Text></Table.Td>
      <Table.Td><Status of={schedule.state} /></Table.Td>
      <Table.Td>{nextRuns.slice(0, 3).map((run) => <Text key={run} size="xs">{moment(run)}</Text>)}</Table.Td>
      <Table.Td>{last ? <Go to={`queue/${last.jobId}`} size="sm">job {last.jobId}</Go> : <Text size="sm" c="dimmed">none yet</Text>}{lastError && <Alert color="red" variant="light" p="xs" title={lastError.message} />}</Table.Td>
      <Table.Td><Button size="compact-xs" variant="light" color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>Delete</Button></Table.Td>
    </Table.Tr>
  );
}

function NewSchedule({ onClose }: { onClose: () => void }) {
  const [target, setTarget] = useState<Target | null>(null);
  const [cron, setCron] = useState("0 3 * * *");
  const [zone, setZone] = useState(Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC");
  const create = useChange(async () => {
    const configuration = {
      schedule: { cronTab: cron, timezone: zone, state: "enabled" },
      target: { componentId: target?.component, configurationId: target?.config, mode: "run" },
    };
    const path = "/components/keboola.scheduler/configs";
    const made = await call<Configuration>("storage", path, { method: "POST", body: { name: `Schedule of ${target?.config}`, configuration } });
    try {
      return await call<Schedule>("scheduler", "/schedules", { method: "POST", body: { configurationId: made.id } });
    } catch (error) {
      await call("storage", `${path}/${enc(made.id)}`, { method: "DELETE" });
      throw error;
    }
  }, onClose);
  return (
    <Modal opened onClose={onClose} title="New schedule" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <TargetSelect value={target} onChange={setTarget} />
          <TextInput label="Cron" description="Minute, hour, day of month, month, day of week. 0 3 * * * is every night at three." value={cron} onChange={(event) => setCron(event.currentTarget.value)} required />
          <TextInput label="Time zone" value={zone} onChange={(event) => setZone(event.currentTarget.value)} required />
          <Group justify="flex-end"><Button type="submit" disabled={!target} loading={create.isPending}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
