import { Alert, Code, List, Stack, Text } from "@mantine/core";
import { useApi } from "../../shared/api/hooks";
import type { Job, LogEvent } from "../../shared/api/types";
import { bytes, count, duration, moment } from "../../shared/format";
import { Facts, Section } from "../../shared/parts";
import { type Moved, readTables } from "./tables";

/** What the run did, in numbers, and what it warned of. */
export function Report({ job }: { job: Job }) {
  const { read, written } = readTables(job);
  const metrics = job.metrics as { storage?: { inputTablesBytesSum?: number; outputTablesBytesSum?: number } };
  return (
    <Stack>
      <Facts of={[
        ["Started", moment(job.startTime)],
        ["Ended", moment(job.endTime)],
        ["Ran for", duration(job.durationSeconds)],
        ["Tables read", `${count(read.length)} · ${bytes(metrics.storage?.inputTablesBytesSum)}`],
        ["Tables written", `${count(written.length)} · ${bytes(metrics.storage?.outputTablesBytesSum)}`],
        ["Rows written", count(written.reduce((sum: number, table: Moved) => sum + (table.rows ?? 0), 0))],
      ]} />
      <Warnings job={job} />
      <Section title="As JSON"><Code block className="wrap" mah={480} style={{ overflow: "auto" }} tabIndex={0}>{JSON.stringify({ result: job.result, metrics: job.metrics, usageData: job.usageData }, null, 2)}</Code></Section>
    </Stack>
  );
}

/** Those of the result, and those that the run logged. */
function Warnings({ job }: { job: Job }) {
  const logged = useApi<LogEvent[]>("storage", "/events", { runId: job.runId, q: "type:warn", limit: 100 });
  const { warnings = [] } = (job.result ?? {}) as { warnings?: string[] };
  const all = [...new Set([...warnings, ...(logged.data ?? []).filter((event) => event.type === "warn").map((event) => event.message)])];
  if (!all.length) return <Text size="sm">There are no warnings.</Text>;
  return (
    <Alert color="orange" variant="light" title={`${count(all.length)} ${all.length === 1 ? "warning" : "warnings"}`}>
      <List size="sm">{all.map((each) => <List.Item key={each} className="wrap" c="var(--mantine-color-text)">{each}</List.Item>)}</List>
    </Alert>
  );
}
