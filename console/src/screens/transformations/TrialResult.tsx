import { Button, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../shared/api/client";
import { againAfter, enc, LIVE } from "../../shared/api/hooks";
import type { Job } from "../../shared/api/types";
import { Log } from "../../shared/Log";
import { Go, Loaded, Section, Status } from "../../shared/parts";
import { Results } from "../sql/Results";
import type { Trial } from "./trying";

/** What the code did that was tried: the rows of its statements, or the log of its run. */
export function TrialResult({ title, trial, onClose }: { title: string; trial: Trial | undefined; onClose: () => void }) {
  return (
    <Section title={`Try of ${title}`} actions={<Button size="compact-sm" variant="default" onClick={onClose}>Close</Button>}>
      {!trial && <Text size="sm" role="status">The tables that it reads are loaded…</Text>}
      {trial && "query" in trial && <Results key={trial.query} jobId={trial.query} />}
      {trial && "job" in trial && <Run id={trial.job} />}
    </Section>
  );
}

function Run({ id }: { id: string }) {
  const job = useQuery({
    queryKey: ["queue", "job", id],
    queryFn: ({ signal }) => call<Job>("queue", `/jobs/${enc(id)}`, { signal }),
    refetchInterval: ({ state }) => againAfter(state) ?? (state.data?.isFinished ? false : LIVE),
  });
  return (
    <Loaded of={job}>
      {(found) => (
        <Stack gap="xs">
          <Group gap="xs" role="status"><Status of={found.status} /><Go to={`queue/${enc(id)}`} size="sm">Job {id}</Go><Text size="sm" c="dimmed">Nothing is written to Storage.</Text></Group>
          <Log job={id} runId={found.runId} isLive={!found.isFinished} />
        </Stack>
      )}
    </Loaded>
  );
}
