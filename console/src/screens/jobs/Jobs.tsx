import { Button, Group, Select, TextInput } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useState } from "react";
import { useConfigured, useJobs } from "../../shared/api/hooks";
import { Empty, Go, Loaded, Page, Section } from "../../shared/parts";
import { useAddress } from "../../shared/useAddress";
import { JobList } from "./JobList";

const STATUSES = ["created", "waiting", "processing", "success", "warning", "error", "terminating", "terminated", "cancelled"];
const TIMES = [{ value: "-1 hour", label: "Last hour" }, { value: "-1 day", label: "Last day" }, { value: "-7 days", label: "Last week" }, { value: "-30 days", label: "Last month" }];
const MORE = 50;

/** The filters are in the address, so that a search can be shared. */
export function Jobs() {
  const configured = useConfigured();
  const [status, setStatus] = useAddress("status");
  const [component, setComponent] = useAddress("component");
  const [since, setSince] = useAddress("since");
  const [config, setConfig] = useAddress("config");
  const [asked] = useDebouncedValue(config.trim(), 300);
  const [limit, setLimit] = useState(MORE);
  const jobs = useJobs({ status, component, config: asked, createdTimeFrom: since, limit });
  const isFiltered = Boolean(status || component || asked || since);
  const components = [...new Set((configured.data ?? []).map((each) => each.id))];
  return (
    <Page title="Jobs">
      <Section title="Newest first" actions={
        <Group gap="xs">
          <Select aria-label="Status" placeholder="Any status" data={STATUSES} value={status || null} onChange={setStatus} clearable size="xs" w={140} />
          <Select aria-label="Component" placeholder="Any component" data={components} value={component || null} onChange={setComponent} clearable searchable size="xs" w={190} />
          <TextInput aria-label="Configuration" placeholder="Configuration id" value={config} onChange={(event) => setConfig(event.currentTarget.value)} size="xs" w={150} />
          <Select aria-label="Time" placeholder="Any time" data={TIMES} value={since || null} onChange={setSince} clearable size="xs" w={120} />
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
