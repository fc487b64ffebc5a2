import { Button, Group, Table, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { useConfigured, useLastJobs } from "../../shared/api/hooks";
import type { Component, Configuration } from "../../shared/api/types";
import { count } from "../../shared/format";
import { configPath, Empty, Go, Loaded, Page, Section, Status, When } from "../../shared/parts";
import { NoJob } from "../jobs/JobList";
import { NewConfiguration } from "./NewConfiguration";
import { Trash } from "./Trash";

const SHOWN = 100;

export function Configurations() {
  const configured = useConfigured();
  const [search, setSearch] = useState("");
  const [isNew, setNew] = useState(false);
  const [isTrash, setTrash] = useState(false);
  return (
    <Page title="Configurations" actions={<><Button variant="default" onClick={() => setTrash(true)}>Trash</Button><Act needs={{ component: "" }} onClick={() => setNew(true)}>New configuration</Act></>}>
      <TextInput aria-label="Search configurations" placeholder="Search by name or id" value={search} onChange={(event) => setSearch(event.currentTarget.value)} maw={360} />
      <Loaded of={configured}>
        {(components) => {
          const found = filter(components, search.trim().toLowerCase());
          if (!found.length && search) return <Empty title="No configuration has this name" />;
          if (!found.length) return <Empty title="There are no configurations yet">Make the first one with <b>New configuration</b>, or read what each <Go to="components">component</Go> does.</Empty>;
          return found.map((component) => <OfComponent key={component.id} component={component} />);
        }}
      </Loaded>
      {isNew && <NewConfiguration onClose={() => setNew(false)} />}
      {isTrash && <Trash onClose={() => setTrash(false)} />}
    </Page>
  );
}

function filter(components: Component[], search: string): Component[] {
  return components
    .map((component) => ({ ...component, configurations: (component.configurations ?? []).filter((config) => `${config.name} ${config.id} ${component.name}`.toLowerCase().includes(search)) }))
    .filter((component) => component.configurations.length > 0);
}

function OfComponent({ component }: { component: Component }) {
  const [pages, setPages] = useState(1);
  const all = component.configurations ?? [];
  return (
    <Section title={<Group gap="xs"><Go to={`components/${component.id}`} fw={650}>{component.name}</Go><Text size="xs" c="dimmed">{component.id}</Text></Group>}>
      <div className="list aligned">
        <Table highlightOnHover>
          <Table.Thead><Table.Tr><Table.Th>Name</Table.Th><Table.Th w="24%">Id</Table.Th><Table.Th w={120}>Changed</Table.Th><Table.Th w={210}>Last job</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>
            {Array.from({ length: pages }, (_, at) => <ConfigurationRows key={at} component={component.id} configs={all.slice(at * SHOWN, (at + 1) * SHOWN)} />)}
          </Table.Tbody>
        </Table>
      </div>
      {all.length > pages * SHOWN && <Button mt="sm" variant="default" size="xs" onClick={() => setPages(pages + 3)}>Show more of {count(all.length)}</Button>}
    </Section>
  );
}

function ConfigurationRows({ component, configs }: { component: string; configs: Configuration[] }) {
  const { data: jobs } = useLastJobs([component], configs.map((config) => config.id));
  const last = new Map((jobs ?? []).map((job) => [job.config, job]));
  return configs.map((config) => {
    const job = last.get(config.id);
    return (
      <Table.Tr key={config.id}>
        <Table.Td><Go to={configPath(component, config.id)} size="sm" fw={500}>{config.name}</Go><Text size="xs" c="dimmed" lineClamp={1}>{config.description}</Text></Table.Td>
        <Table.Td className="mono wrap">{config.id}</Table.Td>
        <Table.Td><When at={config.currentVersion.created} /></Table.Td>
        <Table.Td>{job ? <Group gap="xs" wrap="nowrap"><Status of={job.status} /><Go to={`queue/${job.id}`} size="sm"><When at={job.createdTime} /></Go></Group> : <NoJob of={jobs} />}</Table.Td>
      </Table.Tr>
    );
  });
}
