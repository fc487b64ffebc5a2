import { Alert, Button, Group, Tabs, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, LIVE, useApi, useChange, useConfiguration, useJobs } from "../../shared/api/hooks";
import type { Component, Configuration, Job } from "../../shared/api/types";
import { Editor } from "../../shared/Editor";
import { Empty, Facts, Go, Loaded, Page, Section, Status, useScreenPath, Waiting, When } from "../../shared/parts";
import type { Draft } from "../../shared/drafts";
import { Locked, Needs, useRefusal } from "../../shared/rights";
import { RunButton } from "../../shared/RunButton";
import { saveDraft } from "../../shared/saving";
import { findProblems } from "../../shared/schema";
import { useAddress } from "../../shared/useAddress";
import { useDraft } from "../../shared/useDraft";
import { Versions } from "../configurations/Versions";
import { JobList } from "../jobs/JobList";
import { findUnreachable } from "./conditions";
import type { Flow } from "./edit";
import { parseFlow, writeFlow } from "./graph";
import { Outline } from "./Outline";

const Graph = lazy(() => import("./Graph"));

export function FlowDetail() {
  const { config: id = "" } = useParams({ strict: false });
  const isConditional = useLocation({ select: (location) => location.pathname.includes("/flows-v2/") });
  const component = isConditional ? "keboola.flow" : "keboola.orchestrator";
  const flow = useConfiguration(component, id);
  return (
    <Needs of={{ component }}>
      <Page title={flow.data?.name ?? id} actions={flow.data && <Run component={component} config={id} />}>
        <Loaded of={flow}>{(found) => <Detail component={component} configuration={found} />}</Loaded>
      </Page>
    </Needs>
  );
}

function Run({ component, config }: { component: string; config: string }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [last, setLast] = useState<Job | null>(null);
  return (
    <>
      {last && <Button variant="default" onClick={() => void navigate({ to: screenPath(`queue/${last.id}`) as "/" })}>Open job {last.id}</Button>}
      <RunButton component={component} config={config} onStarted={setLast} />
    </>
  );
}

/** The graph, the list and the JSON show one text, so they agree. */
function Detail({ component, configuration }: { component: string; configuration: Configuration }) {
  const [tab, setTab] = useAddress("tab", "graph");
  const saved = useMemo(() => JSON.stringify(configuration.configuration, null, 2), [configuration]);
  const path = `/components/${enc(component)}/configs/${enc(configuration.id)}`;
  const { draft, text, setText, discard } = useDraft({ path, title: configuration.name, saved, version: configuration.version });
  const jobs = useJobs({ component, config: configuration.id, limit: 20 });
  const last = jobs.data?.[0];
  return (
    <>
      <Section title="Flow">
        <Facts of={[
          ["Id", <span className="mono">{configuration.id}</span>],
          ["Version", configuration.version],
          ["Changed", <When at={configuration.currentVersion.created} />],
          ["Last job", last ? <><Status of={last.status} /> <Go to={`queue/${last.id}`} size="sm">{last.id}</Go></> : jobs.data ? "never ran" : "–"],
        ]} />
      </Section>
      {draft && <Unsaved draft={draft} onDiscard={discard} />}
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List><Tabs.Tab value="graph">Graph</Tabs.Tab><Tabs.Tab value="json">JSON</Tabs.Tab><Tabs.Tab value="versions">Versions</Tabs.Tab><Tabs.Tab value="jobs">Jobs</Tabs.Tab></Tabs.List>
        <Tabs.Panel value="graph" pt="md"><Drawn text={text} component={component} last={last} onChange={setText} /></Tabs.Panel>
        <Tabs.Panel value="json" pt="md"><Locked><Written text={text} component={component} onChange={setText} /></Locked></Tabs.Panel>
        <Tabs.Panel value="versions" pt="md"><Versions path={path} current={configuration} /></Tabs.Panel>
        <Tabs.Panel value="jobs" pt="md"><Loaded of={jobs}>{(found) => found.length ? <JobList jobs={found} withConfiguration={false} /> : <Empty title="It has not run yet" />}</Loaded></Tabs.Panel>
      </Tabs>
    </>
  );
}

function Unsaved({ draft, onDiscard }: { draft: Draft; onDiscard: () => void }) {
  const save = useChange(() => saveDraft(draft));
  const isJson = parseJson(draft.text);
  return (
    <Alert color={isJson ? "blue" : "red"} variant="light" role="status" p="xs">
      <Group justify="space-between">
        <Text size="sm" c="var(--mantine-color-text)">{isJson ? "There are changes that are not saved." : "This is not valid JSON, so it cannot be saved."}</Text>
        <Group gap="xs"><Button size="xs" variant="default" onClick={onDiscard}>Discard</Button><Act size="xs" disabled={!isJson} loading={save.isPending} onClick={() => save.mutate(undefined)}>Save</Act></Group>
      </Group>
    </Alert>
  );
}

function Drawn({ text, component, last, onChange }: { text: string; component: string; last: Job | undefined; onChange: (text: string) => void }) {
  const parsed = useMemo(() => parseFlow(text, component === "keboola.flow"), [text, component]);
  const states = useStates(last);
  const refusal = useRefusal();
  if (!parsed) return <Empty title="The JSON of this flow cannot be drawn">Correct it in the tab JSON: <span className="mono">phases</span> and <span className="mono">tasks</span> are lists of objects with an <span className="mono">id</span>.</Empty>;
  const change = (flow: Flow): void => onChange(writeFlow(flow, parsed.rest));
  const unreachable = findUnreachable(parsed.flow);
  return (
    <>
      {unreachable.length > 0 && <Alert color="red" variant="light" role="alert" mb="sm" title={`Nothing leads to ${unreachable.map((name) => `“${name}”`).join(", ")}: ${unreachable.length > 1 ? "these phases" : "this phase"} will never run.`} />}
      {parsed.flow.phases.length > 0 && <Suspense fallback={<Waiting />}><Graph flow={parsed.flow} states={states} isLocked={Boolean(refusal)} onChange={change} /></Suspense>}
      <Locked><Outline flow={parsed.flow} states={states} onChange={change} /></Locked>
    </>
  );
}

/** The state of each task in the last job, while it runs and after it. */
function useStates(last: Job | undefined): Map<string, string> {
  const plan = useQuery({
    queryKey: ["queue", "plan", last?.id, last?.isFinished],
    queryFn: ({ signal }) => call<{ matchedTasks: { taskId: string; status?: string }[] }>("queue", `/orchestration-rerun-plan/${enc(last?.id ?? "")}`, { signal }),
    refetchInterval: last?.isFinished ? false : LIVE,
    enabled: Boolean(last),
    placeholderData: (before) => before,
  });
  return useMemo(() => new Map((plan.data?.matchedTasks ?? []).flatMap((task) => (task.status ? [[task.taskId, task.status]] : []))), [plan.data]);
}

function Written({ text, component, onChange }: { text: string; component: string; onChange: (text: string) => void }) {
  const about = useApi<Component>("storage", `/components/${enc(component)}`);
  const problems = findProblems(text, about.data?.configurationSchema);
  return (
    <>
      <Editor value={text} onChange={onChange} language="json" schema={about.data?.configurationSchema} label="Flow as JSON" height="560px" />
      {problems.slice(0, 5).map((problem) => <Text key={problem.message} size="sm" c="var(--text-warning)" mt="xs" role="alert">{problem.message}</Text>)}
    </>
  );
}

function parseJson(text: string): boolean {
  try {
    return typeof JSON.parse(text) === "object";
  } catch {
    return false;
  }
}
