import { Button, Group, Menu, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { useChange } from "../../shared/api/hooks";
import type { Configuration } from "../../shared/api/types";
import { dropDraftsOf } from "../../shared/drafts";
import { Confirm } from "../../shared/Confirm";
import { configPath, useScreenPath } from "../../shared/parts";
import { useRefusal } from "../../shared/rights";

/** Copies a configuration with its rows, renames it, or moves it to the trash. */
export function CopyAndDelete({ component, path, config }: { component: string; path: string; config: Configuration }) {
  const [open, setOpen] = useState<"" | "copy" | "rename" | "delete">("");
  if (useRefusal()) return null;
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target><Button variant="default">More</Button></Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen("copy")}>Copy</Menu.Item>
          <Menu.Item onClick={() => setOpen("rename")}>Rename</Menu.Item>
          <Menu.Item color="red" onClick={() => setOpen("delete")}>Delete</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {(open === "copy" || open === "rename") && <Naming kind={open} component={component} path={path} config={config} onClose={() => setOpen("")} />}
      {open === "delete" && <Deleting path={path} config={config} onClose={() => setOpen("")} />}
    </>
  );
}

function Naming({ kind, component, path, config, onClose }: { kind: "copy" | "rename"; component: string; path: string; config: Configuration; onClose: () => void }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const isCopy = kind === "copy";
  const [name, setName] = useState(isCopy ? `${config.name}, copy` : config.name);
  const [description, setDescription] = useState(config.description);
  const change = useChange(
    () => isCopy ? call<{ id: string }>("storage", `${path}/versions/${config.version}/create`, { method: "POST", body: { name, description } }) : call<{ id: string }>("storage", path, { method: "PUT", body: { name, description, changeDescription: "Renamed in the console" } }),
    (made) => {
      onClose();
      void navigate({ to: screenPath(configPath(component, made.id)) as "/" });
    },
  );
  return (
    <Modal opened onClose={onClose} title={isCopy ? "Copy the configuration" : "Rename the configuration"} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); change.mutate(undefined); }}>
        <Stack>
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} required data-autofocus />
          <TextInput label="Description" value={description} onChange={(event) => setDescription(event.currentTarget.value)} />
          {isCopy && <Text size="sm" c="dimmed">Rows are copied, too. The copy begins with an empty state.</Text>}
          <Group justify="flex-end"><Button type="submit" loading={change.isPending}>{isCopy ? "Copy" : "Rename"}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Deleting({ path, config, onClose }: { path: string; config: Configuration; onClose: () => void }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const leave = (): void => void navigate({ to: screenPath("components/configurations") as "/" });
  return (
    <Confirm title={`Delete “${config.name}”?`} action="Delete" work={() => call("storage", path, { method: "DELETE" }).then(() => dropDraftsOf(path))} then={leave} onClose={onClose}>
      It goes to the trash, from which it can be restored. Its tables stay.
    </Confirm>
  );
}
