import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useCatalogue, useChange } from "../../shared/api/hooks";
import type { Configuration } from "../../shared/api/types";
import { configPath, useScreenPath } from "../../shared/parts";

export function NewConfiguration({ component: given, onClose }: { component?: string; onClose: () => void }) {
  const catalogue = useCatalogue();
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [component, setComponent] = useState<string | null>(given ?? null);
  const [name, setName] = useState("");
  const chosen = catalogue.data?.find((each) => each.id === component);
  const create = useChange(
    () => call<Configuration>("storage", `/components/${enc(component ?? "")}/configs`, { method: "POST", body: { name, configuration: chosen?.emptyConfiguration ?? {} } }),
    (made) => void navigate({ to: screenPath(configPath(component ?? "", made.id)) as "/" }),
  );
  const choices = (catalogue.data ?? []).filter((each) => each.hasRun).map((each) => ({ value: each.id, label: `${each.name} (${each.id})` }));
  return (
    <Modal opened onClose={onClose} title="New configuration" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <Select label="Component" placeholder="What it runs" data={choices} value={component} onChange={setComponent} searchable required />
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} required data-autofocus />
          <Group justify="flex-end"><Button type="submit" loading={create.isPending} disabled={!component || !name.trim()}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
