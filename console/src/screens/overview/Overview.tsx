import { Group, List, Paper, SimpleGrid, Text } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { useApi, useChange, useConfigured, useJobs, useProject, useTables } from "../../shared/api/hooks";
import type { Component, Configuration, Job, Schedule } from "../../shared/api/types";
import { ago, bytes, count } from "../../shared/format";
import { useNames } from "../../shared/names";
import { configPath, Empty, Go, Loaded, Page, Section, useScreenPath } from "../../shared/parts";
import { JobList } from "../jobs/JobList";
import { DAYS, JobChart, RowsChart, rowsLoaded } from "./JobChart";

const FAILURES = 5;

export function Overview() {
  const from = new Date(Date.now() - DAYS * 86_400_000).toISOString().slice(0, 10);
  const jobs = useJobs({ createdTimeFrom: `${from}T00:00:00Z`, limit: 500 });
  return (
    <Page title="Overview">
      <Loaded of={jobs}>
        {(found) => (
          <>
            {found.length === 0 && <FirstSteps />}
            <Numbers jobs={found} />
            <Failures jobs={found} />
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Section title={`Jobs of the last ${DAYS} days`}><JobChart jobs={found} /></Section>
              <Section title={`Rows loaded in the last ${DAYS} days`}><RowsChart jobs={found} /></Section>
            </SimpleGrid>
            <NextRuns />
            {found.length > 0 && <Section title="Last jobs" actions={<Go to="queue" size="sm">All jobs</Go>}><JobList jobs={found.slice(0, 5)} /></Section>}
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Numbers({ jobs }: { jobs: Job[] }) {
  const tables = useTables();
  const { data: project } = useProject();
  const running = jobs.filter((job) => !job.isFinished).length;
  const failed = jobs.filter((job) => job.status === "error").length;
  const loaded = jobs.reduce((sum, job) => sum + rowsLoaded(job), 0);
  const size = (tables.data ?? []).reduce((sum, table) => sum + (table.dataSizeBytes ?? 0), 0);
  const numbers: [string, string, string][] = [
    ["Jobs running", count(running), "queue?status=processing"],
    [`Jobs failed in ${DAYS} days`, count(failed), "queue?status=error"],
    [`Rows loaded in ${DAYS} days`, count(loaded), "storage"],
    ["Storage used", tables.data ? bytes(size) : bytes(project?.owner?.dataSizeBytes), "storage"],
  ];
  return (
    <SimpleGrid cols={{ base: 2, md: 4 }}>
      {numbers.map(([name, value, path]) => (
        <Paper key={name} withBorder p="md">
          <Text size="xs" c="dimmed">{name}</Text>
          <Go to={path} fz={26} fw={650} c="var(--mantine-color-text)">{value}</Go>
        </Paper>
      ))}
    </SimpleGrid>
  );
}

/** The configurations whose last job failed; one that was run again with success is not shown. */
function Failures({ jobs }: { jobs: Job[] }) {
  const last = new Map<string, Job>();
  for (const job of jobs) {
    const key = `${job.component} ${job.config}`;
    if (job.isFinished && !job.parentRunId && !last.has(key)) last.set(key, job);
  }
  const failed = [...last.values()].filter((job) => job.status === "error").slice(0, FAILURES);
  return failed.length ? <Section title="Failing now"><JobList jobs={failed} /></Section> : null;
}

function NextRuns() {
  const schedules = useApi<Schedule[]>("scheduler", "/schedules");
  const names = useNames();
  return (
    <Section title="Next schedules" actions={<Go to="automation" size="sm">Automation</Go>}>
      <Loaded of={schedules}>
        {(found) => {
          const next = found.filter((each) => each.schedule.state === "enabled" && each.nextRuns[0]).sort((a, b) => a.nextRuns[0]!.localeCompare(b.nextRuns[0]!));
          if (!next.length) return <Empty title="Nothing is scheduled">Make a schedule of a configuration in <Go to="automation">Automation</Go>.</Empty>;
          return (
            <List listStyleType="none" spacing="xs" size="sm">
              {next.slice(0, 6).map((each) => (
                <List.Item key={each.id}>
                  <Go to={configPath(each.target.componentId, each.target.configurationId)} size="sm">{names.config(each.target.componentId, each.target.configurationId)}</Go> {ago(each.nextRuns[0])}
                </List.Item>
              ))}
            </List>
          );
        }}
      </Loaded>
    </Section>
  );
}

function FirstSteps() {
  const configured = useConfigured();
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const run = useChange(
    ({ component, config }: { component: string; config: string }) => call<Job>("queue", "/jobs", { method: "POST", body: { component, config, mode: "run" } }),
    (job) => void navigate({ to: screenPath(`queue/${job.id}`) as "/" }),
  );
  const sample = findSample(configured.data ?? []);
  return (
    <Section title="Start here">
      <Text size="sm" mb="sm">A <b>configuration</b> says what to read, a <b>job</b> runs it, and the rows arrive in <b>tables</b> of Storage.</Text>
      <Group>
        {sample && <Act runs loading={run.isPending} onClick={() => run.mutate({ component: sample.component.id, config: sample.config.id })}>Run “{sample.config.name}”</Act>}
        <Go to="extract">Read an API of your own</Go>
        <Go to="storage">Upload a CSV file</Go>
      </Group>
    </Section>
  );
}

function findSample(components: Component[]): { component: Component; config: Configuration } | undefined {
  const all = components.flatMap((component) => (component.configurations ?? []).map((config) => ({ component, config })));
  return all.find(({ config }) => config.id.startsWith("sample-")) ?? all[0];
}
