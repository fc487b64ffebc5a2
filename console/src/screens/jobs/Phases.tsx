import { Group, Paper, Stack, Table, Text } from "@mantine/core";
import { useJobs } from "../../shared/api/hooks";
import type { Job } from "../../shared/api/types";
import { duration } from "../../shared/format";
import { Empty, Go, Loaded, Status } from "../../shared/parts";
import { JobList } from "./JobList";

interface Ran {
  id: string | number;
  name: string;
  status?: string;
  duration?: number;
}

interface Task extends Ran {
  phase: string | number;
  jobId?: string;
}

/** The phases and tasks of a flow, or the jobs that another job has started. */
export function Phases({ job }: { job: Job }) {
  const { phases, tasks = [] } = (job.result ?? {}) as { phases?: Ran[]; tasks?: Task[] };
  if (!phases?.length) return <Children job={job} />;
  return (
    <Stack>
      {phases.map((phase) => (
        <Paper key={String(phase.id)} withBorder p="md" component="section" aria-label={`Phase ${phase.name}`}>
          <Group gap="sm" mb="xs"><Text fw={600} className="wrap">{phase.name}</Text>{phase.status && <Status of={phase.status} />}<Text size="xs" c="dimmed">{duration(phase.duration ?? 0)}</Text></Group>
          <Tasks tasks={tasks.filter((task) => String(task.phase) === String(phase.id))} />
        </Paper>
      ))}
    </Stack>
  );
}

function Tasks({ tasks }: { tasks: Task[] }) {
  if (!tasks.length) return <Text size="sm" c="dimmed">no tasks</Text>;
  return (
    <div className="list">
      <Table>
        <Table.Thead><Table.Tr><Table.Th>Task</Table.Th><Table.Th>Status</Table.Th><Table.Th>Job</Table.Th><Table.Th className="number">Duration</Table.Th></Table.Tr></Table.Thead>
        <Table.Tbody>
          {tasks.map((task) => (
            <Table.Tr key={String(task.id)}>
              <Table.Td className="wrap">{task.name}</Table.Td>
              <Table.Td>{task.status && <Status of={task.status} />}</Table.Td>
              <Table.Td>{task.jobId ? <Go to={`queue/${task.jobId}`} className="mono">{task.jobId}</Go> : "–"}</Table.Td>
              <Table.Td className="number">{duration(task.duration ?? 0)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Children({ job }: { job: Job }) {
  const children = useJobs({ parentRunId: job.runId, limit: 100, sortOrder: "asc" });
  return (
    <Loaded of={children}>
      {(found) => found.length ? <JobList jobs={found} /> : <Empty title="This job started no other jobs">Flows, and configurations whose rows run in parallel, do.</Empty>}
    </Loaded>
  );
}
