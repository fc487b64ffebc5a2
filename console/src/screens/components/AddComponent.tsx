import { Button, Code, FileInput, Group, Modal, SegmentedControl, Select, Stack, Tabs, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useRef, useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange } from "../../shared/api/hooks";
import { useSession } from "../../shared/api/session";
import type { DeveloperProfile } from "../../shared/api/types";
import { Empty, Loaded, useScreenPath } from "../../shared/parts";

const TYPES = ["extractor", "writer", "application", "processor", "transformation"];
const COMMANDS = `penstock components init acme.ex-weather    # a folder with a component that works
cd ex-weather && python -m unittest         # its test
penstock components publish .               # into the stack; again for each version`;

export function AddComponent({ onClose }: { onClose: () => void }) {
  const isPerson = useSession() === "person";
  return (
    <Modal opened onClose={onClose} size="lg" title="Add a component" closeButtonProps={{ "aria-label": "Close" }}>
      <Tabs defaultValue="folder" keepMounted={false}>
        <Tabs.List><Tabs.Tab value="folder">From a folder</Tabs.Tab><Tabs.Tab value="register">Register or upload</Tabs.Tab></Tabs.List>
        <Tabs.Panel value="folder" pt="md">
          <Text size="sm" mb="sm">On the machine of the stack. <code>component.json</code> says what it is called, which settings it has, and how it starts.</Text>
          <Code block tabIndex={0}>{COMMANDS}</Code>
          <Text size="sm" mt="sm" c="dimmed">While it is being written, <code>penstock components add DIR</code> uses the folder in place.</Text>
        </Tabs.Panel>
        <Tabs.Panel value="register" pt="md">{isPerson ? <AsDeveloper /> : <NeedsPerson />}</Tabs.Panel>
      </Tabs>
    </Modal>
  );
}

/** Components belong to vendors, and vendors have people. */
export function NeedsPerson() {
  return <Empty title="Sign in with your e-mail address">Components belong to vendors, and vendors have people: a Storage token is of neither. Sign out, and sign in with e-mail and password. Programs use <code>penstock components publish</code>.</Empty>;
}

function AsDeveloper() {
  const profile = useApi<DeveloperProfile>("developer", "/auth/profile");
  return <Loaded of={profile}>{(found) => <Register profile={found} />}</Loaded>;
}

function Register({ profile }: { profile: DeveloperProfile }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const vendors = profile.vendors.map((each) => each.id);
  const [vendor, setVendor] = useState(vendors[0] ?? "");
  const [id, setId] = useState("");
  const [name, setName] = useState("");
  const [type, setType] = useState<string | null>("extractor");
  const [program, setProgram] = useState("image");
  const [image, setImage] = useState("");
  const [tag, setTag] = useState("");
  const [archive, setArchive] = useState<File | null>(null);
  const created = useRef("");
  const add = useChange(
    async () => {
      const apps = `/vendors/${enc(vendor)}/apps`;
      const about = { name, type, ...(program === "image" && { repository: { type: "dockerhub", uri: image, tag } }) };
      const app = `${vendor}.${id}`;
      // After a try whose upload was refused, the app exists.
      if (created.current === app) await call("developer", `${apps}/${enc(app)}`, { method: "PATCH", body: about });
      else await call("developer", apps, { method: "POST", body: { id, ...about } });
      created.current = app;
      if (program === "archive" && archive) await call("developer", `${apps}/${enc(app)}/versions`, { method: "POST", body: archive });
      await call("developer", `${apps}/${enc(app)}/publish`, { method: "POST", body: {} });
      return app;
    },
    (made) => void navigate({ to: screenPath(`components/${enc(made)}`) as "/" }),
  );
  return (
    <form onSubmit={(event) => { event.preventDefault(); add.mutate(undefined); }}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">Signed in as {profile.name}. {profile.isAdmin ? "Administrators approve their components at once." : "An administrator approves the component before projects can use it."}</Text>
        {vendors.length ? (
          <Select label="Vendor" data={vendors} value={vendor} onChange={(chosen) => setVendor(chosen ?? "")} allowDeselect={false} />
        ) : (
          <TextInput label="Vendor" description="The id of a vendor that exists." value={vendor} onChange={(event) => setVendor(event.currentTarget.value)} required />
        )}
        <TextInput label="Id" description={`It is called ${vendor || "vendor"}.${id || "id"}.`} placeholder="ex-weather" value={id} onChange={(event) => setId(event.currentTarget.value)} required />
        <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} required />
        <Select label="Type" data={TYPES} value={type} onChange={setType} allowDeselect={false} />
        <SegmentedControl value={program} onChange={setProgram} data={[{ value: "image", label: "Image" }, { value: "archive", label: "Archive" }]} aria-label="Program" />
        {program === "image" ? (
          <Group grow align="flex-start">
            <TextInput label="Image" placeholder="docker.io/acme/ex-weather" value={image} onChange={(event) => setImage(event.currentTarget.value)} required />
            <TextInput label="Tag" placeholder="1.0.0" value={tag} onChange={(event) => setTag(event.currentTarget.value)} required />
          </Group>
        ) : <FileInput label="Archive" description="A ZIP file with component.json in it." accept=".zip" value={archive} onChange={setArchive} required />}
        <Group justify="flex-end"><Button type="submit" loading={add.isPending}>Add the component</Button></Group>
      </Stack>
    </form>
  );
}
