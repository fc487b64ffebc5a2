import { Skeleton, Table, Text } from "@mantine/core";
import type { Job } from "../../shared/api/types";
import { count, duration } from "../../shared/format";
import { useNames } from "../../shared/names";
import { configPath, Go, Status, When } from "../../shared/parts";
import { nested, readTables } from "./tables";

export function JobList({ jobs, withConfiguration = true }: { jobs: Job[]; withConfiguration?: boolean }) {
  return (
    <div className="list">
      <Table highlightOnHover verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Job</Table.Th>
            <Table.Th>Status</Table.Th>
            {withConfiguration && <Table.Th>Configuration</Table.Th>}
            <Table.Th>Created</Table.Th>
            <Table.Th className="number">Duration</Table.Th>
            <Table.Th>Outcome</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {nested(jobs).map(({ job, depth }) => (
            <Table.Tr key={job.id}>
              <Table.Td style={{ paddingLeft: 10 + depth * 22 }}><Go to={`queue/${job.id}`} className="mono">{job.id}</Go></Table.Td>
              <Table.Td><Status of={job.status} /></Table.Td>
              {withConfiguration && <Table.Td><Target job={job} /></Table.Td>}
              <Table.Td><When at={job.createdTime} /></Table.Td>
              <Table.Td className="number"><Text size="sm" style={{ whiteSpace: "nowrap" }}>{duration(job.durationSeconds)}</Text></Table.Td>
              <Table.Td><Text size="sm" maw={420} lineClamp={2} className="wrap">{outcomeOf(job)}</Text></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Target({ job }: { job: Job }) {
  const names = useNames();
  return job.config ? (
    <>
      <Go to={configPath(job.component, job.config)} size="sm" title={job.config}>{names.config(job.component, job.config)}</Go>
      <Text size="xs" c="dimmed" className="second-line" title={job.component}>{names.component(job.component)}</Text>
    </>
  ) : (
    <Text size="sm" title={job.component}>{names.component(job.component)}</Text>
  );
}

/** In place of the last job of a configuration: nothing is said while the jobs are loading. */
export function NoJob({ of: last }: { of: Job[] | undefined }) {
  return last ? <Text size="sm" c="dimmed">never ran</Text> : <Skeleton h={10} w={90} animate={false} />;
}

export function messageOf(job: Job): string {
  const { message } = (job.result ?? {}) as { message?: string };
  return message ?? "";
}

const ENDED = "Component processing finished.";

/** What a job that went well has written, which says more than that it has ended. */
export function outcomeOf(job: Job): string {
  const { written } = readTables(job);
  if (job.status !== "success" || !written.length) return messageOf(job) === ENDED ? "no tables were written" : messageOf(job);
  const [first] = written;
  const rows = written.reduce((sum, table) => sum + (table.rows ?? 0), 0);
  const tables = written.length === 1 ? (first?.id ?? "") : `${count(written.length)} tables`;
  return `${tables} · ${count(rows)} ${rows === 1 ? "row" : "rows"}`;
}
