import { Alert, Button, Code, Group, Table, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import { call } from "../../shared/api/client";
import { enc, LIVE, useChange, useJobs } from "../../shared/api/hooks";
import type { Job } from "../../shared/api/types";
import { bytes, count, duration } from "../../shared/format";
import { Log } from "../../shared/Log";
import { configPath, Empty, Facts, Go, Loaded, Page, Section, Status, tablePath, usePlace, When } from "../../shared/parts";
import { JobList, messageOf } from "./JobList";

export function JobDetail() {
  const { job: id = "" } = useParams({ strict: false });
  const job = useQuery({
    queryKey: ["queue", "job", id],
    queryFn: ({ signal }) => call<Job>("queue", `/jobs/${enc(id)}`, { signal }),
    refetchInterval: ({ state }) => (state.data && state.data.isFinished ? false : LIVE),
  });
  return (
    <Page title={`Job ${id}`} actions={job.data && <Actions job={job.data} />}>
      <Loaded of={job}>{(found) => <Detail job={found} />}</Loaded>
    </Page>
  );
}

function Actions({ job }: { job: Job }) {
  const place = usePlace();
  const navigate = useNavigate();
  const stop = useChange(() => call<Job>("queue", `/jobs/${enc(job.id)}/kill`, { method: "POST" }));
  const retry = useChange(() => call<Job>("queue", "/jobs", { method: "POST", body: sameAgain(job) }), (again) => void navigate({ to: place(`queue/${again.id}`) as "/" }));
  if (!job.isFinished) return <Button color="red" variant="light" loading={stop.isPending || job.status === "terminating"} onClick={() => stop.mutate(undefined)}>Terminate</Button>;
  return <Button loading={retry.isPending} onClick={() => retry.mutate(undefined)}>{job.status === "success" ? "Run again" : "Retry"}</Button>;
}

function sameAgain(job: Job): object {
  const data = job.configData && Object.keys(job.configData).length ? { configData: job.configData } : {};
  const rows = job.configRowIds.length ? { configRowIds: job.configRowIds } : {};
  return { component: job.component, mode: job.mode, ...(job.config && { config: job.config }), ...data, ...rows };
}

function Detail({ job }: { job: Job }) {
  return (
    <>
      {job.status === "error" && (
        <Alert color="red" variant="light" role="alert" title="The job failed">
          <Text size="sm" className="wrap" c="var(--mantine-color-text)" style={{ whiteSpace: "pre-wrap" }}>{messageOf(job)}</Text>
          {job.config && <Text size="sm" mt="xs"><Go to={configPath(job.component, job.config)} size="sm">Open its configuration to fix it</Go></Text>}
        </Alert>
      )}
      <Section title="Run">
        <Facts of={[
          ["Status", <Status of={job.status} />],
          ["Component", <Go to={`components/${enc(job.component)}`} size="sm">{job.component}</Go>],
          ["Configuration", job.config ? <Go to={configPath(job.component, job.config)} size="sm">{job.config}</Go> : "sent with the job"],
          ["Created", <When at={job.createdTime} />],
          ["Duration", duration(job.durationSeconds)],
          ["By", job.token.description],
          ["Mode", job.mode],
        ]} />
        {job.status !== "error" && messageOf(job) && <Text size="sm" mt="md" className="wrap">{messageOf(job)}</Text>}
      </Section>
      <Tables job={job} />
      <Tabs defaultValue="log" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="log">Log</Tabs.Tab>
          <Tabs.Tab value="children">Jobs of this job</Tabs.Tab>
          <Tabs.Tab value="report">Report</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="log" pt="sm"><Log runId={job.runId} isLive={!job.isFinished} /></Tabs.Panel>
        <Tabs.Panel value="children" pt="sm"><Children job={job} /></Tabs.Panel>
        <Tabs.Panel value="report" pt="sm"><Code block className="wrap" mah={480} style={{ overflow: "auto" }} tabIndex={0}>{JSON.stringify({ result: job.result, metrics: job.metrics, usageData: job.usageData }, null, 2)}</Code></Tabs.Panel>
      </Tabs>
    </>
  );
}

interface Moved {
  id: string;
  metrics?: { name: string; value: number }[];
}

function Tables({ job }: { job: Job }) {
  const result = (job.result ?? {}) as { input?: { tables?: Moved[] }; output?: { tables?: Moved[] } };
  const moved = [...(result.input?.tables ?? []).map((table) => ({ table, way: "read" })), ...(result.output?.tables ?? []).map((table) => ({ table, way: "written" }))];
  if (!moved.length) return null;
  const metrics = job.metrics as { storage?: { inputTablesBytesSum?: number; outputTablesBytesSum?: number } };
  return (
    <Section title="Tables" actions={<Group gap="md"><Text size="xs" c="dimmed">read {bytes(metrics.storage?.inputTablesBytesSum)} · written {bytes(metrics.storage?.outputTablesBytesSum)}</Text></Group>}>
      <div className="list">
        <Table>
          <Table.Thead><Table.Tr><Table.Th>Table</Table.Th><Table.Th>Was</Table.Th><Table.Th className="number">Rows</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>
            {moved.map(({ table, way }) => (
              <Table.Tr key={`${way} ${table.id}`}>
                <Table.Td><Go to={tablePath(table.id)} className="mono">{table.id}</Go></Table.Td>
                <Table.Td>{way}</Table.Td>
                <Table.Td className="number">{count(table.metrics?.find((each) => each.name.endsWith("RowsCount"))?.value)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
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
