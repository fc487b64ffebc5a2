// The branch that is shown, and the others: choose, create, delete.
import { Button, Group, Menu, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useLocation, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { branchIn } from "./api/branches";
import { call } from "./api/client";
import { enc, useApi, useChange, useProject } from "./api/hooks";
import { finish } from "./api/transfers";
import type { Branch, StorageJob } from "./api/types";
import { Confirm } from "./Confirm";
import { useRefusal } from "./rights";

export function BranchPicker() {
  const { data: token } = useProject();
  const branches = useApi<Branch[]>("storage", "/dev-branches");
  const current = useLocation({ select: (location) => branchIn(location.pathname) });
  const navigate = useNavigate();
  const [isNew, setNew] = useState(false);
  const refusal = useRefusal("buckets");
  const [removed, setRemoved] = useState<Branch | null>(null);
  const go = (branch: string): void => void navigate({ to: `/projects/${token?.owner?.id ?? 0}/${branch ? `branch/${branch}/` : ""}` as "/" });
  const all = branches.data ?? [];
  const shown = all.find((each) => String(each.id) === current) ?? all.find((each) => each.isDefault);
  if (!shown) return null;
  return (
    <>
      <Menu position="bottom-start" withinPortal>
        <Menu.Target>
          <Button variant={current ? "light" : "default"} color={current ? "violet" : undefined} size="xs" maw={180} aria-label={`Branch: ${shown.name}`}><span className="cut">{shown.name}</span></Button>
        </Menu.Target>
        <Menu.Dropdown mah={420} style={{ overflow: "auto" }}>
          <Menu.Label>Branches</Menu.Label>
          {[...all].sort((a, b) => Number(b.isDefault) - Number(a.isDefault)).map((branch) => (
            <Menu.Item key={branch.id} onClick={() => go(branch.isDefault ? "" : String(branch.id))} fw={branch === shown ? 700 : undefined}>{branch.name}</Menu.Item>
          ))}
          {!refusal && <Menu.Divider />}
          {!refusal && <Menu.Item onClick={() => setNew(true)}>New branch…</Menu.Item>}
          {!refusal && !shown.isDefault && <Menu.Item c="var(--text-bad)" onClick={() => setRemoved(shown)}>Delete this branch…</Menu.Item>}
        </Menu.Dropdown>
      </Menu>
      {isNew && <NewBranch onClose={() => setNew(false)} onMade={go} />}
      {removed && (
        <Confirm title={`Delete the branch “${removed.name}”`} action="Delete the branch" onClose={() => setRemoved(null)}
          work={() => call<StorageJob>("storage", `/dev-branches/${enc(String(removed.id))}`, { method: "DELETE" }).then((job) => finish(job))} then={() => go("")}>
          Its configurations are deleted, and so are the buckets, tables and files that only this branch has. Main stays as it is.
        </Confirm>
      )}
    </>
  );
}

function NewBranch({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  const [name, setName] = useState("");
  const create = useChange(async () => {
    const job = await finish(await call<StorageJob>("storage", "/dev-branches", { method: "POST", body: { name } }));
    return String((job.results as Branch).id);
  }, (id) => { onClose(); onMade(id); });
  return (
    <Modal opened onClose={onClose} title="New branch" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); create.mutate(undefined); }}>
        <Stack>
          <Text size="sm">A branch has a copy of the configurations. Change and run them there; Main stays as it is.</Text>
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} required data-autofocus />
          <Group justify="flex-end"><Button type="submit" loading={create.isPending}>Create</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
