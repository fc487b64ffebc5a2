import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useConfigured, useJobs } from "../../shared/api/hooks";
import { Empty, Go, Loaded, Page, Section } from "../../shared/parts";
import { JobList } from "./JobList";

const STATUSES = ["created", "waiting", "processing", "success", "warning", "error", "terminating", "terminated", "cancelled"];
const MORE = 50;

export function Jobs() {
  const configured = useConfigured();
  const [status, setStatus] = useState<string | null>(null);
  const [component, setComponent] = useState<string | null>(null);
  const [config, setConfig] = useState("");
  const [asked] = useDebouncedValue(config.trim(), 300);
  const [limit, setLimit] = useState(MORE);
  const jobs = useJobs({ status, component, config: asked, limit });
  const isFiltered = Boolean(status ?? component ?? asked);
  const components = [...new Set((configured.data ?? []).map((each) => each.id))];
  return (
    <Page title="Jobs">
      <Section title="Newest first" actions={
        <Group gap="xs">
          <Select aria-label="Status" placeholder="Any status" data={STATUSES} value={status} onChange={setStatus} clearable size="xs" w={150} />
          <Select aria-label="Component" placeholder="Any component" data={components} value={component} onChange={setComponent} clearable searchable size="xs" w={190} />
          <TextInput aria-label="Configuration" placeholder="Configuration id" value={config} onChange={(event) => setConfig(event.currentTarget.value)} size="xs" w={170} />
        </Group>
      }>
        <Loaded of={jobs}>
          {(found) => found.length ? (
            <>
              <JobList jobs={found} />
              {found.length >= limit && limit < 500 && <Button mt="sm" variant="default" size="xs" onClick={() => setLimit(Math.min(limit + MORE * 3, 500))}>Show more</Button>}
            </>
          ) : isFiltered ? (
            <Empty title="No job fits these filters">Change or clear a filter above.</Empty>
          ) : (
            <Empty title="No job has run yet">Open one of the <Go to="components/configurations">configurations</Go> and run it.</Empty>
          )}
        </Loaded>
      </Section>
    </Page>
  );
}
