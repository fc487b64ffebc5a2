// When each job of a flow waited and ran. A task that was tried again has a line for each try.
import { Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../shared/api/client";
import { againAfter, LIVE } from "../../shared/api/hooks";
import type { Job } from "../../shared/api/types";
import { duration } from "../../shared/format";
import { useNames } from "../../shared/names";
import { Empty, Go, Loaded, Status } from "../../shared/parts";

const MAX_CHILDREN = 500;
const CONTAINERS = ["phaseContainer", "retryContainer"];

export function Timeline({ job }: { job: Job }) {
  const tasks = useQuery({
    queryKey: ["queue", "tasks", job.id],
    queryFn: () => readTasks(job.runId),
    refetchInterval: ({ state }) => againAfter(state) ?? (job.isFinished ? false : LIVE),
  });
  return <Loaded of={tasks}>{(found) => (found.length ? <Lines job={job} tasks={found} /> : <Empty title="No task has begun yet" />)}</Loaded>;
}

/** The jobs of the tasks, in the order in which they were made: those in the jobs of phases and of tasks that are tried again. */
async function readTasks(runId: string): Promise<Job[]> {
  const children = await call<Job[]>("queue", "/search/jobs", { query: { parentRunId: runId, limit: MAX_CHILDREN } });
  const tasks = await Promise.all(children.map((each) => (CONTAINERS.includes(each.type) ? readTasks(each.runId) : [each])));
  return tasks.flat().sort((a, b) => Number(a.id) - Number(b.id));
}

function Lines({ job, tasks }: { job: Job; tasks: Job[] }) {
  const from = timeOf(job.createdTime);
  const to = Math.max(from + 1000, timeOf(job.endTime), ...tasks.map((each) => timeOf(each.endTime)), job.isFinished ? 0 : Date.now());
  return (
    <Stack gap="xs">
      <div className="list">
        <Table aria-label="Timeline" verticalSpacing={4}>
          <Table.Thead><Table.Tr><Table.Th>Task</Table.Th><Table.Th>Status</Table.Th><Table.Th className="number">Waited</Table.Th><Table.Th className="number">Ran</Table.Th><Table.Th w="50%">From 0 s to {duration(Math.round((to - from) / 1000))}</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>{tasks.map((each) => <Line key={each.id} job={each} from={from} to={to} />)}</Table.Tbody>
        </Table>
      </div>
      <Group gap="md"><Key className="time-waited" name="waited" /><Key className="time-ran" name="ran" /><Key className="time-failed" name="failed" /></Group>
    </Stack>
  );
}

function Line({ job, from, to }: { job: Job; from: number; to: number }) {
  const names = useNames();
  const [created, start, end] = [timeOf(job.createdTime), timeOf(job.startTime), timeOf(job.endTime) || (job.isFinished ? from : to)];
  const began = start || end;
  const place = (since: number, until: number) => ({ left: `${share(since, from, to)}%`, width: `max(2px, ${share(until, from, to) - share(since, from, to)}%)` });
  const isBad = ["error", "terminated", "cancelled", "warning"].includes(job.status);
  return (
    <Table.Tr>
      <Table.Td className="wrap"><Go to={`queue/${job.id}`} size="sm" title={job.id}>{job.config ? names.config(job.component, job.config) : names.component(job.component)}</Go></Table.Td>
      <Table.Td><Status of={job.status} /></Table.Td>
      <Table.Td className="number">{written(began - created)}</Table.Td>
      <Table.Td className="number">{start ? written(end - start) : ""}</Table.Td>
      <Table.Td>
        <div className="time-line" aria-hidden>
          {began > created && <i className="time-waited" style={place(created, began)} />}
          {start > 0 && <i className={isBad ? "time-failed" : "time-ran"} style={place(start, end)} />}
        </div>
      </Table.Td>
    </Table.Tr>
  );
}

function Key({ className, name }: { className: string; name: string }) {
  return <Text size="xs" c="dimmed" span><i className={`time-key ${className}`} />{name}</Text>;
}

const timeOf = (time: string | null | undefined): number => (time ? Date.parse(time) : 0);
const share = (time: number, from: number, to: number): number => Math.min(100, Math.max(0, (100 * (time - from)) / (to - from)));
const written = (milliseconds: number): string => duration(Math.max(0, Math.round(milliseconds / 1000)));
