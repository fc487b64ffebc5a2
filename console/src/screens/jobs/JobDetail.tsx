import { Alert, Group, Table, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate, useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { againAfter, enc, LIVE, useChange, useJobs } from "../../shared/api/hooks";
import type { Job } from "../../shared/api/types";
import { bytes, count, duration } from "../../shared/format";
import { Log } from "../../shared/Log";
import { useNames } from "../../shared/names";
import { configPath, Facts, Go, Loaded, Page, Section, Status, tablePath, useScreenPath, When } from "../../shared/parts";
import { useAddress } from "../../shared/useAddress";
import { Explain } from "./Explain";
import { messageOf, outcomeOf } from "./JobList";
import { Phases } from "./Phases";
import { Progress } from "./Progress";
import { Report } from "./Report";
import { readTables } from "./tables";
import { Timeline } from "./Timeline";

export function JobDetail() {
  const { job: id = "" } = useParams({ strict: false });
  const job = useQuery({
    queryKey: ["queue", "job", id],
    queryFn: ({ signal }) => call<Job>("queue", `/jobs/${enc(id)}`, { signal }),
    refetchInterval: ({ state }) => againAfter(state) ?? (state.data?.isFinished ? false : LIVE),
  });
  return (
    <Page title={`Job ${id}`} actions={job.data && <Actions job={job.data} />}>
      <Loaded of={job}>{(found) => <Detail job={found} />}</Loaded>
    </Page>
  );
}

function Actions({ job }: { job: Job }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const needs = { component: job.component, runs: true };
  const stop = useChange(() => call<Job>("queue", `/jobs/${enc(job.id)}/kill`, { method: "POST" }));
  const retry = useChange((onlyRest: boolean) => call<Job>("queue", "/jobs", { method: "POST", body: { ...sameAgain(job), ...(onlyRest && { previousJobId: job.id }) } }), (again) => void navigate({ to: screenPath(`queue/${again.id}`) as "/" }));
  if (!job.isFinished) return <Act needs={needs} color="red" variant="light" loading={stop.isPending || job.status === "terminating"} onClick={() => stop.mutate(undefined)}>Terminate</Act>;
  const isFlow = job.type === "orchestrationContainer" && job.status !== "success";
  return (
    <>
      {isFlow && <Act needs={needs} variant="default" loading={retry.isPending} onClick={() => retry.mutate(false)}>Run the whole flow again</Act>}
      <Act needs={needs} loading={retry.isPending} onClick={() => retry.mutate(isFlow)}>{job.status === "success" ? "Run again" : isFlow ? "Retry what did not succeed" : "Retry"}</Act>
    </>
  );
}

function sameAgain(job: Job): object {
  const data = job.configData && Object.keys(job.configData).length ? { configData: job.configData } : {};
  const rows = job.configRowIds.length ? { configRowIds: job.configRowIds } : {};
  return { component: job.component, mode: job.mode, branchId: job.branchId, ...(job.config && { config: job.config }), ...data, ...rows };
}

function Detail({ job }: { job: Job }) {
  const isFlow = job.type === "orchestrationContainer";
  const names = useNames();
  const [tab, setTab] = useAddress("tab", isFlow ? "children" : "log");
  return (
    <>
      {job.status === "error" && (
        <Alert color="red" variant="light" role="alert" title="The job failed">
          <Text size="sm" className="wrap" c="var(--mantine-color-text)" style={{ whiteSpace: "pre-wrap" }}>{messageOf(job)}</Text>
          {job.config && <Text size="sm" mt="xs"><Go to={configPath(job.component, job.config)} size="sm">Open its configuration to fix it</Go>{job.component === "ex-generic-v2" && <> · <Go to={`extract/${enc(job.config)}`} size="sm">Open it in the builder</Go></>}</Text>}
          <Explain job={job} />
        </Alert>
      )}
      <Section title="Run">
        <Facts of={[
          ["Status", <Status of={job.status} />],
          ["Component", <Go to={`components/${enc(job.component)}`} size="sm" title={job.component}>{names.component(job.component)}</Go>],
          ["Configuration", job.config ? <Go to={configPath(job.component, job.config)} size="sm" title={job.config}>{names.config(job.component, job.config)}</Go> : "sent with the job"],
          ["Created", <When at={job.createdTime} />],
          ["Duration", duration(job.durationSeconds)],
          ["By", job.token.description],
          ["Mode", job.mode],
          ...(job.config && job.status !== "success" ? [["Last success", <LastSuccess component={job.component} config={job.config} />] as [string, ReactNode]] : []),
        ]} />
        {job.status !== "error" && outcomeOf(job) && <Text size="sm" mt="md" className="wrap">{outcomeOf(job)}</Text>}
      </Section>
      {!job.isFinished && <Progress job={job} />}
      <Tables job={job} />
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="log">Log</Tabs.Tab>
          <Tabs.Tab value="children">{isFlow ? "Phases" : "Jobs of this job"}</Tabs.Tab>
          {isFlow && <Tabs.Tab value="timeline">Timeline</Tabs.Tab>}
          <Tabs.Tab value="report">Report</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="log" pt="sm"><Log job={job.id} runId={job.runId} isLive={!job.isFinished} /></Tabs.Panel>
        <Tabs.Panel value="children" pt="sm"><Phases job={job} /></Tabs.Panel>
        <Tabs.Panel value="timeline" pt="sm"><Timeline job={job} /></Tabs.Panel>
        <Tabs.Panel value="report" pt="sm"><Report job={job} /></Tabs.Panel>
      </Tabs>
    </>
  );
}

function LastSuccess({ component, config }: { component: string; config: string }) {
  const { data } = useJobs({ component, config, status: "success", limit: 1 });
  const job = data?.[0];
  return job ? <><Go to={`queue/${job.id}`} size="sm">job {job.id}</Go> <When at={job.endTime} /></> : data ? "never" : "–";
}

function Tables({ job }: { job: Job }) {
  const { read, written } = readTables(job);
  const moved = [...read.map((table) => ({ table, way: "read" })), ...written.map((table) => ({ table, way: "written" }))];
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
                <Table.Td className="number">{count(table.rows)}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}
