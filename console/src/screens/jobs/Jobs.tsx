import { Button, Group, Select } from "@mantine/core";
import { useState } from "react";
import type { Component } from "../../shared/api/types";
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
  const [limit, setLimit] = useState(MORE);
  const jobs = useJobs({ status, component, config, createdTimeFrom: since, limit });
  const isFiltered = Boolean(status || component || config || since);
  const components = (configured.data ?? []).map((each) => ({ value: each.id, label: each.name }));
  const configs = namesById((configured.data ?? []).filter((each) => !component || each.id === component), config);
  return (
    <Page title="Jobs">
      <Section title="Newest first" actions={
        <Group gap="xs">
          <Select aria-label="Status" placeholder="Any status" data={STATUSES} value={status || null} onChange={setStatus} clearable size="xs" w={140} />
          <Select aria-label="Component" placeholder="Any component" data={components} value={component || null} onChange={setComponent} clearable searchable size="xs" w={190} />
          <Select aria-label="Configuration" placeholder="Any configuration" data={configs} value={config || null} onChange={setConfig} clearable searchable limit={100} nothingFoundMessage="No configuration has this name" size="xs" w={210} />
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

/** One choice for each id, since the filter is one; the id that the address names is there, too, if nothing has it. */
function namesById(components: Component[], chosen: string): { value: string; label: string }[] {
  const named = new Map(chosen ? [[chosen, chosen]] : []);
  for (const config of components.flatMap((each) => each.configurations ?? [])) named.set(config.id, config.name);
  return [...named].map(([value, label]) => ({ value, label }));
}
