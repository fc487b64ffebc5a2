import { Tabs, Text } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { enc, useApi, useConfiguration, useJobs } from "../../shared/api/hooks";
import type { Component, Configuration, Job } from "../../shared/api/types";
import { Empty, Facts, Go, Loaded, Page, Section, useScreenPath, When } from "../../shared/parts";
import { Needs } from "../../shared/rights";
import { RunButton } from "../../shared/RunButton";
import { JobList } from "../jobs/JobList";
import { isTransformation, Transformation } from "../transformations/Transformation";
import { CopyAndDelete } from "./CopyAndDelete";
import { JsonForm } from "./JsonForm";
import { Rows } from "./Rows";
import { Versions } from "./Versions";
import { wholeSchema, wrap } from "./wholeSchema";

export function ConfigurationDetail() {
  const { component = "", config = "" } = useParams({ strict: false });
  const found = useConfiguration(component, config);
  const about = useApi<Component>("storage", `/components/${enc(component)}`);
  return (
    <Needs of={{ component }}>
      <Page title={found.data?.name ?? config} actions={found.data && <Actions component={component} config={found.data} canRun={about.data?.hasRun ?? true} />}>
        <Loaded of={found}>{(configuration) => <Detail component={component} about={about.data} config={configuration} />}</Loaded>
      </Page>
    </Needs>
  );
}

function Actions({ component, config, canRun }: { component: string; config: Configuration; canRun: boolean }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const open = (job: Job): void => void navigate({ to: screenPath(`queue/${job.id}`) as "/" });
  return (
    <>
      {component === "ex-generic-v2" && <Go to={`extract/${enc(config.id)}`} size="sm">Open in the builder</Go>}
      <CopyAndDelete component={component} path={`/components/${enc(component)}/configs/${enc(config.id)}`} config={config} />
      {canRun && <RunButton component={component} config={config.id} document={config.configuration} onStarted={open} />}
    </>
  );
}

function Detail({ component, about, config }: { component: string; about: Component | undefined; config: Configuration }) {
  const path = `/components/${enc(component)}/configs/${enc(config.id)}`;
  return (
    <>
      <Section title="Configuration">
        {config.description && <Text size="sm" mb="sm" className="wrap">{config.description}</Text>}
        <Facts of={[
          ["Component", <Go to={`components/${enc(component)}`} size="sm">{about?.name ?? component}</Go>],
          ["Id", <span className="mono">{config.id}</span>],
          ["Version", config.version],
          ["Changed", <When at={config.currentVersion.created} />],
          ["By", config.currentVersion.creatorToken.description],
        ]} />
      </Section>
      <Tabs defaultValue="settings" keepMounted={false}>
        <Tabs.List>
          <Tabs.Tab value="settings">Settings</Tabs.Tab>
          <Tabs.Tab value="rows">Rows ({config.rows?.length ?? 0})</Tabs.Tab>
          <Tabs.Tab value="versions">Versions</Tabs.Tab>
          <Tabs.Tab value="jobs">Jobs</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="settings" pt="md"><Settings path={path} about={about} config={config} /></Tabs.Panel>
        <Tabs.Panel value="rows" pt="md"><Rows path={path} rows={config.rows ?? []} schema={wrap(about?.configurationRowSchema)} empty={about?.emptyConfigurationRow} /></Tabs.Panel>
        <Tabs.Panel value="versions" pt="md"><Versions path={path} current={config} /></Tabs.Panel>
        <Tabs.Panel value="jobs" pt="md"><LastJobs component={component} config={config.id} /></Tabs.Panel>
      </Tabs>
    </>
  );
}

function Settings({ path, about, config }: { path: string; about: Component | undefined; config: Configuration }) {
  if (about && isTransformation(about)) return <Transformation path={path} about={about} config={config} />;
  return <JsonForm path={path} title={config.name} value={config.configuration} version={config.version} schema={wholeSchema(about)} />;
}

function LastJobs({ component, config }: { component: string; config: string }) {
  const jobs = useJobs({ component, config, limit: 20 });
  return <Loaded of={jobs}>{(found) => found.length ? <JobList jobs={found} withConfiguration={false} /> : <Empty title="It has not run yet">Run it with the button above.</Empty>}</Loaded>;
}
