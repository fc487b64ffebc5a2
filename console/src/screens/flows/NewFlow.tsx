import { Button, Group, Modal, Radio, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useChange } from "../../shared/api/hooks";
import type { Configuration } from "../../shared/api/types";
import { useScreenPath } from "../../shared/parts";
import { flowPath } from "./kinds";

export function NewFlow({ onClose }: { onClose: () => void }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [component, setComponent] = useState("keboola.flow");
  const create = useChange(
    () => call<Configuration>("storage", `/components/${enc(component)}/configs`, { method: "POST", body: { name, configuration: { phases: [], tasks: [] } } }),
    ({ id }) => void navigate({ to: screenPath(flowPath(component, id)) as "/" }),
  );
  return (
    <Modal opened onClose={onClose} title="New flow" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} required data-autofocus />
          <Radio.Group label="Kind" value={component} onChange={setComponent}>
            <Stack gap="xs" mt="xs">
              <Radio value="keboola.flow" label="Conditional" description="Each phase says what follows, also by conditions such as a failed task" />
              <Radio value="keboola.orchestrator" label="Phases" description="Each phase says after which others it runs, several at a time" />
            </Stack>
          </Radio.Group>
          <Group justify="flex-end"><Button type="submit" loading={create.isPending} disabled={!name.trim()}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
