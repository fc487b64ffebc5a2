import { Button, Group, Modal, Select, Stack, TextInput } from "@mantine/core";
import { useState } from "react";
import { openProject } from "./api/address";
import { call } from "./api/client";
import { useApi, useChange } from "./api/hooks";
import type { Organization, Project } from "./api/types";

/** In an organization of the caller, who becomes its first administrator. */
export function NewProject({ onClose }: { onClose: () => void }) {
  const organizations = useApi<Organization[]>("manage", "/organizations");
  const [name, setName] = useState("");
  const [chosen, setChosen] = useState<string | null>(null);
  const all = organizations.data ?? [];
  const organization = chosen ?? String(all[0]?.id ?? "");
  const create = useChange(() => call<Project>("manage", `/organizations/${organization}/projects`, { method: "POST", body: { name } }), ({ id }) => openProject(id));
  return (
    <Modal opened onClose={onClose} title="New project" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} required data-autofocus />
          {all.length > 1 && <Select label="Organization" data={all.map((each) => ({ value: String(each.id), label: each.name }))} value={organization} onChange={setChosen} allowDeselect={false} />}
          <Group justify="flex-end"><Button type="submit" loading={create.isPending} disabled={!organization}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
