import { Button, Tabs } from "@mantine/core";
import { useLocation, useNavigate, useParams } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange, useConfiguration, useJobs } from "../../shared/api/hooks";
import type { Component, Configuration, Job } from "../../shared/api/types";
import { Empty, Facts, Go, Loaded, Page, Section, Status, usePlace, Waiting, When } from "../../shared/parts";
import { JsonForm } from "../configurations/JsonForm";
import { Versions } from "../configurations/Versions";
import { JobList } from "../jobs/JobList";
import { readFlow } from "./graph";

const Graph = lazy(() => import("./Graph"));

export function FlowDetail() {
  const { config: id = "" } = useParams({ strict: false });
  const isConditional = useLocation({ select: (location) => location.pathname.includes("/flows-v2/") });
  const component = isConditional ? "keboola.flow" : "keboola.orchestrator";
  const flow = useConfiguration(component, id);
  return (
    <Page title={flow.data?.name ?? id} actions={flow.data && <Run component={component} config={id} />}>
      <Loaded of={flow}>{(found) => <Detail component={component} flow={found} />}</Loaded>
    </Page>
  );
}

function Run({ component, config }: { component: string; config: string }) {
  const place = usePlace();
  const navigate = useNavigate();
  const run = useChange(() => call<Job>("queue", "/jobs", { method: "POST", body: { component, config, mode: "run" } }));
  const last = run.data;
  return (
    <>
      {last && <Button variant="default" onClick={() => void navigate({ to: place(`queue/${last.id}`) as "/" })}>Open job {last.id}</Button>}
      <Button loading={run.isPending} onClick={() => run.mutate(undefined)}>Run</Button>
    </>
  );
}

function Detail({ component, flow }: { component: string; flow: Configuration }) {
  const about = useApi<Component>("storage", `/components/${enc(component)}`);
  const jobs = useJobs({ component, config: flow.id, limit: 20 });
  const last = jobs.data?.[0];
  const children = useJobs({ parentRunId: last?.runId ?? "none", limit: 200 });
  const states = new Map((children.data ?? []).map((job) => [job.orchestrationTaskId ?? "", job.status]));
  const phases = readFlow(flow.configuration);
  const path = `/components/${enc(component)}/configs/${enc(flow.id)}`;
  return (
    <>
      <Section title="Flow">
        <Facts of={[["Id", <span className="mono">{flow.id}</span>], ["Version", flow.version], ["Changed", <When at={flow.currentVersion.created} />], ["Last job", last ? <><Status of={last.status} /> <Go to={`queue/${last.id}`} size="sm">{last.id}</Go></> : "never ran"]]} />
      </Section>
      <Tabs defaultValue={phases.length ? "graph" : "json"} keepMounted={false}>
        <Tabs.List><Tabs.Tab value="graph">Graph</Tabs.Tab><Tabs.Tab value="json">JSON</Tabs.Tab><Tabs.Tab value="versions">Versions</Tabs.Tab><Tabs.Tab value="jobs">Jobs</Tabs.Tab></Tabs.List>
        <Tabs.Panel value="graph" pt="md">
          {phases.length ? <Suspense fallback={<Waiting />}><Graph phases={phases} states={states} /></Suspense> : <Empty title="This flow has no phases yet">Write its phases and tasks in the tab JSON; the <Go to={`components/${component}`}>documentation</Go> has an example.</Empty>}
        </Tabs.Panel>
        <Tabs.Panel value="json" pt="md"><JsonForm key={flow.version} path={path} value={flow.configuration} schema={about.data?.configurationSchema} /></Tabs.Panel>
        <Tabs.Panel value="versions" pt="md"><Versions path={path} current={flow} /></Tabs.Panel>
        <Tabs.Panel value="jobs" pt="md"><Loaded of={jobs}>{(found) => found.length ? <JobList jobs={found} withConfiguration={false} /> : <Empty title="It has not run yet" />}</Loaded></Tabs.Panel>
      </Tabs>
    </>
  );
}
