import { Group, List, Paper, SimpleGrid, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { againAfter, LIVE, SLOW, useApi, useChange, useConfigured, useJobs, useTables } from "../../shared/api/hooks";
import type { Component, Configuration, Job, JobTotals, Schedule } from "../../shared/api/types";
import { ago, bytes, count } from "../../shared/format";
import { useNames } from "../../shared/names";
import { configPath, Empty, Go, Loaded, Page, Section, useScreenPath } from "../../shared/parts";
import { JobList } from "../jobs/JobList";
import { JobChart, RowsChart, sum } from "./JobChart";

const DAYS = 14;

export function Overview() {
  const totals = useTotals();
  const last = useJobs({ limit: 5 });
  return (
    <Page title="Overview">
      {last.data?.length === 0 && <FirstSteps />}
      <Numbers totals={totals.data} />
      <Loaded of={totals}>
        {(found) => (
          <>
            {found.failing.length > 0 && <Section title="Failing now"><JobList jobs={found.failing} /></Section>}
            <SimpleGrid cols={{ base: 1, md: 2 }}>
              <Section title={`Jobs of the last ${DAYS} days`}><JobChart days={found.days} /></Section>
              <Section title={`Rows loaded in the last ${DAYS} days`}><RowsChart days={found.days} /></Section>
            </SimpleGrid>
          </>
        )}
      </Loaded>
      <NextRuns />
      {last.data && last.data.length > 0 && <Section title="Last jobs" actions={<Go to="queue" size="sm">All jobs</Go>}><JobList jobs={last.data} /></Section>}
    </Page>
  );
}

/** Counted by the server, however many jobs there are. */
function useTotals() {
  return useQuery({
    queryKey: ["queue", "/stats/jobs", DAYS],
    queryFn: ({ signal }) => call<JobTotals>("queue", "/stats/jobs", { query: { days: DAYS }, signal }),
    refetchInterval: ({ state }) => againAfter(state) ?? (Object.keys(state.data?.unfinished ?? {}).length ? LIVE : SLOW),
  });
}

/** A dash is shown for what is not known yet. */
function Numbers({ totals }: { totals: JobTotals | undefined }) {
  const tables = useTables();
  const { processing = 0, terminating = 0, ...waiting } = totals?.unfinished ?? {};
  const size = tables.data?.reduce((all, table) => all + (table.dataSizeBytes ?? 0), 0);
  const last = totals?.lastSuccess;
  const numbers: [string, string, string, string?][] = [
    ["Jobs running", count(totals && processing + terminating), "queue?status=processing", sum(Object.values(waiting)) ? `${count(sum(Object.values(waiting)))} waiting` : ""],
    [`Jobs failed in ${DAYS} days`, count(totals && (totals.statuses["error"] ?? 0)), "queue?status=error"],
    ["Last success", totals ? (last ? ago(last.endTime) : "never") : "–", last ? `queue/${last.id}` : "queue?status=success"],
    [`Rows loaded in ${DAYS} days`, count(totals?.rowsWritten), "storage"],
    ["Storage used", bytes(size), "storage"],
  ];
  return (
    <SimpleGrid cols={{ base: 2, sm: 3, lg: 5 }}>
      {numbers.map(([name, value, path, more]) => (
        <Paper key={name} withBorder p="md">
          <Text size="xs" c="dimmed">{name}</Text>
          <Go to={path} fz={24} fw={650} c="var(--mantine-color-text)">{value}</Go>
          {more && <Text size="xs" c="dimmed">{more}</Text>}
        </Paper>
      ))}
    </SimpleGrid>
  );
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
        {sample && <Act needs={{ component: sample.component.id, runs: true }} loading={run.isPending} onClick={() => run.mutate({ component: sample.component.id, config: sample.config.id })}>Run “{sample.config.name}”</Act>}
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
