import { Alert, Group, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, useApi } from "../../shared/api/hooks";
import type { Schedule } from "../../shared/api/types";
import { Confirm } from "../../shared/Confirm";
import { moment } from "../../shared/format";
import { useNames } from "../../shared/names";
import { configPath, Empty, Go, Loaded, Status } from "../../shared/parts";
import { Needs } from "../../shared/rights";
import { inWords } from "./cron";
import { ScheduleForm } from "./ScheduleForm";

export function Schedules() {
  const schedules = useApi<Schedule[]>("scheduler", "/schedules", undefined, 15_000);
  const [isNew, setNew] = useState(false);
  return (
    <Needs of="schedules"><Stack>
      <Group justify="flex-end"><Act onClick={() => setNew(true)}>New schedule</Act></Group>
      <Loaded of={schedules}>{(found) => found.length ? <List schedules={found} /> : <Empty title="Nothing is scheduled">A schedule runs a configuration or a flow again and again, such as every night.</Empty>}</Loaded>
      {isNew && <ScheduleForm onClose={() => setNew(false)} />}
    </Stack></Needs>
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

function One({ schedule: known }: { schedule: Schedule }) {
  const { schedule, target, nextRuns, executions, lastError } = known;
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const close = (): void => setOpen(null);
  const last = executions[0];
  const names = useNames();
  const name = names.config(target.componentId, target.configurationId);
  return (
    <Table.Tr>
      <Table.Td><Go to={configPath(target.componentId, target.configurationId)} size="sm" title={target.configurationId}>{name}</Go><Text size="xs" c="dimmed" title={target.componentId}>{names.component(target.componentId)}</Text></Table.Td>
      <Table.Td><Text size="sm">{inWords(schedule.cronTab)}</Text><Text size="xs" c="dimmed"><span className="mono">{schedule.cronTab}</span> · {schedule.timezone}</Text></Table.Td>
      <Table.Td><Status of={schedule.state} /></Table.Td>
      <Table.Td>{nextRuns.slice(0, 3).map((run) => <Text key={run} size="xs">{moment(run)}</Text>)}</Table.Td>
      <Table.Td>{last ? <Go to={`queue/${last.jobId}`} size="sm">job {last.jobId}</Go> : <Text size="sm" c="dimmed">none yet</Text>}{lastError && <Alert color="red" variant="light" p="xs" title={lastError.message} />}</Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap" justify="flex-end"><Act size="compact-xs" variant="default" onClick={() => setOpen("edit")}>Edit</Act><Act size="compact-xs" variant="subtle" color="red" onClick={() => setOpen("delete")}>Delete</Act></Group>
        {open === "edit" && <ScheduleForm schedule={known} onClose={close} />}
        {open === "delete" && (
          <Confirm title="Delete the schedule" action="Delete the schedule" onClose={close} work={() => remove(known)}>
            {name} will not run {inWords(schedule.cronTab)} any more. The configuration itself stays.
          </Confirm>
        )}
      </Table.Td>
    </Table.Tr>
  );
}

/** With the configuration that the schedule is made of, which would be listed without a use. */
async function remove({ id, configurationId }: Schedule): Promise<void> {
  await call("scheduler", `/schedules/${enc(id)}`, { method: "DELETE" });
  await call("storage", `/components/keboola.scheduler/configs/${enc(configurationId)}`, { method: "DELETE" });
}
