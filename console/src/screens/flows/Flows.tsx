import { Group, Table } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { useConfigured, useLastJobs } from "../../shared/api/hooks";
import { Empty, Go, Loaded, Page, Section, Status, When } from "../../shared/parts";
import { NoJob } from "../jobs/JobList";
import { flowPath, KINDS } from "./kinds";
import { NewFlow } from "./NewFlow";

const ASKED = 100;

export function Flows() {
  const configured = useConfigured();
  const flows = (configured.data ?? []).filter((each) => each.id in KINDS).flatMap((component) => (component.configurations ?? []).map((config) => ({ component, config })));
  const latest = useLastJobs(Object.keys(KINDS), flows.slice(0, ASKED).map(({ config }) => config.id));
  const [isNew, setNew] = useState(false);
  return (
    <Page title="Flows" actions={<Act needs={{ component: "" }} onClick={() => setNew(true)}>New flow</Act>}>
      <Loaded of={configured}>
        {() => {
          if (!flows.length) return <Empty title="There are no flows yet">A flow runs several configurations in an order: first those that read data, then those that transform it. Make one with <b>New flow</b>.</Empty>;
          return (
            <Section title="All flows">
              <div className="list">
                <Table highlightOnHover>
                  <Table.Thead><Table.Tr><Table.Th>Name</Table.Th><Table.Th>Kind</Table.Th><Table.Th>Changed</Table.Th><Table.Th>Last job</Table.Th></Table.Tr></Table.Thead>
                  <Table.Tbody>
                    {flows.map(({ component, config }, at) => {
                      const job = (latest.data ?? []).find((each) => each.component === component.id && each.config === config.id);
                      return (
                        <Table.Tr key={`${component.id} ${config.id}`}>
                          <Table.Td><Go to={flowPath(component.id, config.id)} fw={500}>{config.name}</Go></Table.Td>
                          <Table.Td>{KINDS[component.id]}</Table.Td>
                          <Table.Td><When at={config.currentVersion.created} /></Table.Td>
                          <Table.Td>{job ? <Group gap="xs" wrap="nowrap"><Status of={job.status} /><Go to={`queue/${job.id}`} size="sm"><When at={job.createdTime} /></Go></Group> : at < ASKED ? <NoJob of={latest.data} /> : "–"}</Table.Td>
                        </Table.Tr>
                      );
                    })}
                  </Table.Tbody>
                </Table>
              </div>
            </Section>
          );
        }}
      </Loaded>
      {isNew && <NewFlow onClose={() => setNew(false)} />}
    </Page>
  );
}
