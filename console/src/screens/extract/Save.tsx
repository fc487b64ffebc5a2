import { Button, Group, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useChange } from "../../shared/api/hooks";
import type { Configuration, Job } from "../../shared/api/types";
import { configPath, Section, useScreenPath } from "../../shared/parts";
import { COMPONENT, type Document } from "./actions";

const CONFIGS = `/components/${COMPONENT}/configs`;

/** Stores the configuration, and runs it if that is wanted. Secrets that were typed are encrypted by Storage. */
export function Save({ document, name: proposed, configId, isChanged }: { document: Document | null; name: string; configId: string; isChanged: boolean }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [name, setName] = useState(proposed);
  const save = useChange(
    async (isRun: boolean) => {
      const id = configId && !isChanged ? configId : (await store(document, name, configId)).id;
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
  return (
    <Section title="Save">
      <form onSubmit={submit}>
        <Group align="flex-end">
          {!configId && <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} required flex="1 1 220px" maw={420} />}
          <Button type="submit" variant="default" disabled={!document} loading={save.isPending && save.variables === false}>Save configuration</Button>
          <Button disabled={!document || !name.trim()} loading={save.isPending && save.variables === true} onClick={() => save.mutate(true)}>Save and run</Button>
        </Group>
      </form>
    </Section>
  );
}

function store(document: Document | null, name: string, configId: string): Promise<Configuration> {
  if (configId) return call<Configuration>("storage", `${CONFIGS}/${enc(configId)}`, { method: "PUT", body: { configuration: document, changeDescription: "Changed in the builder" } });
  return call<Configuration>("storage", CONFIGS, { method: "POST", body: { name, configuration: document } });
}
