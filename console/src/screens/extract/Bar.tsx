// What can be done with the configuration: always in view. Secrets that were typed are encrypted by Storage.
import { Checkbox, Group, Select, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { useChange } from "../../shared/api/hooks";
import type { Job } from "../../shared/api/types";
import type { Draft } from "../../shared/drafts";
import { configPath, useScreenPath } from "../../shared/parts";
import { saveDraft } from "../../shared/saving";
import { COMPONENT, type Document, TRIES } from "./actions";
import type { JobPlace } from "./document";
import type { Trying } from "./useTrial";

interface Props {
  document: Document | null;
  draft: Draft | undefined;
  configId: string;
  onName: (name: string) => void;
  jobs: JobPlace[];
  job: JobPlace | undefined;
  onJob: (id: string) => void;
  trying: Trying;
}

export function Bar({ document, draft, configId, onName, jobs, job, onJob, trying }: Props) {
  const save = useSave(draft, configId);
  const { trial, isOld, again, isAuto, setAuto } = trying;
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(false);
  }
  const isNamed = Boolean(configId || draft?.name?.trim());
  const status = trial.isPending ? "Two pages are being read." : isOld ? "Changed since the last try." : trial.data ? `${trial.data.requests} requests, two pages at most.` : "";
  return (
    <form onSubmit={submit} className="builder-bar">
      <Group role="toolbar" aria-label="Try and save" gap="xs">
        <Act needs={TRIES} size="sm" loading={trial.isPending} disabled={!document || !job} onClick={again}>Try</Act>
        {jobs.length > 1 && <Select w={150} aria-label="Job" data={jobs.map((each) => ({ value: each.id, label: each.label }))} value={job?.id ?? null} onChange={(id) => id && onJob(id)} allowDeselect={false} />}
        <Checkbox size="xs" label="after each edit" aria-label="Try by itself after each edit" checked={isAuto} onChange={(event) => setAuto(event.currentTarget.checked)} />
        <Text size="xs" c="dimmed" role="status" flex="1 1 150px">{status}</Text>
        {!configId && <TextInput aria-label="Name" placeholder="Name of the configuration" value={draft?.name ?? ""} onChange={(event) => onName(event.currentTarget.value)} required flex="0 1 220px" />}
        <Act type="submit" variant="default" disabled={!document} loading={save.isPending && save.variables === false}>Save</Act>
        <Act disabled={!document || !isNamed} loading={save.isPending && save.variables === true} onClick={() => save.mutate(true)}>Save and run</Act>
      </Group>
    </form>
  );
}

/** Stores the configuration, runs it if that is wanted, and goes to what was made. */
function useSave(draft: Draft | undefined, configId: string) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  return useChange(
    async (isRun: boolean) => {
      const id = draft ? (await saveDraft({ ...draft, why: "Changed in the builder" })).id : configId;
      if (!isRun) return configPath(COMPONENT, id);
      const job = await call<Job>("queue", "/jobs", { method: "POST", body: { component: COMPONENT, config: id, mode: "run" } });
      return `queue/${job.id}`;
    },
    (path) => void navigate({ to: screenPath(path) as "/" }),
  );
}
