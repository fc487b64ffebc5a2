import { Table, Text } from "@mantine/core";
import type { Job } from "../../shared/api/types";
import { duration } from "../../shared/format";
import { configPath, Go, Status, When } from "../../shared/parts";

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
            <Table.Th>Message</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {jobs.map((job) => (
            <Table.Tr key={job.id}>
              <Table.Td><Go to={`queue/${job.id}`} className="mono">{job.id}</Go></Table.Td>
              <Table.Td><Status of={job.status} /></Table.Td>
              {withConfiguration && <Table.Td><Target job={job} /></Table.Td>}
              <Table.Td><When at={job.createdTime} /></Table.Td>
              <Table.Td className="number"><Text size="sm" style={{ whiteSpace: "nowrap" }}>{duration(job.durationSeconds)}</Text></Table.Td>
              <Table.Td><Text size="sm" maw={420} lineClamp={2} className="wrap">{messageOf(job)}</Text></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Target({ job }: { job: Job }) {
  return job.config ? (
    <>
      <Go to={configPath(job.component, job.config)} size="sm">{job.config}</Go>
      <Text size="xs" c="dimmed">{job.component}</Text>
    </>
  ) : (
    <Text size="sm">{job.component}</Text>
  );
}

export function messageOf(job: Job): string {
  const { message } = (job.result ?? {}) as { message?: string };
  return message ?? "";
}
