import { Group, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import type { FormEvent } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { useChange } from "../../shared/api/hooks";
import type { Job } from "../../shared/api/types";
import type { Draft } from "../../shared/drafts";
import { configPath, Section, useScreenPath } from "../../shared/parts";
import { saveDraft } from "../../shared/saving";
import { COMPONENT, type Document } from "./actions";

interface Props {
  document: Document | null;
  draft: Draft | undefined;
  configId: string;
  onName: (name: string) => void;
}

/** Stores the configuration, and runs it if that is wanted. Secrets that were typed are encrypted by Storage. */
export function Save({ document, draft, configId, onName }: Props) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const save = useChange(
    async (isRun: boolean) => {
      const id = draft ? (await saveDraft({ ...draft, why: "Changed in the builder" })).id : configId;
      if (!isRun) return configPath(COMPONENT, id);
      const job = await call<Job>("queue", "/jobs", { method: "POST", body: { component: COMPONENT, config: id, mode: "run" } });
      return `queue/${job.id}`;
    },
    (path) => void navigate({ to: screenPath(path) as "/" }),
  );
  function submit(event: FormEvent): void {
    event.preventDefault();
    save.mutate(false);
  }
  const isNamed = Boolean(configId || draft?.name?.trim());
  return (
    <Section title="Save">
      <form onSubmit={submit}>
        <Group align="flex-end">
          {!configId && <TextInput label="Name" value={draft?.name ?? ""} onChange={(event) => onName(event.currentTarget.value)} required flex="1 1 220px" maw={420} />}
          <Act type="submit" variant="default" disabled={!document} loading={save.isPending && save.variables === false}>Save configuration</Act>
          <Act disabled={!document || !isNamed} loading={save.isPending && save.variables === true} onClick={() => save.mutate(true)}>Save and run</Act>
        </Group>
      </form>
    </Section>
  );
}
