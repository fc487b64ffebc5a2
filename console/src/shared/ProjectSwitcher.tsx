import { Badge, Button, Menu, Text } from "@mantine/core";
import { useState } from "react";
import { BASE, shownProject } from "./api/address";
import { useApi, useMe, useProject } from "./api/hooks";
import { useSession } from "./api/session";
import type { Organization } from "./api/types";
import { Icon } from "./Icon";
import { NewProject } from "./NewProject";
import { ROLE_NAMES } from "./roles";

/** The project, and for a person all others. A Storage token opens one project only. */
export function ProjectSwitcher() {
  const { data } = useProject();
  const name = data?.owner?.name ?? "";
  return useSession() === "person" ? <Switcher name={name} /> : <Badge variant="default" size="lg" tt="none" maw={260} data-testid="project">{name}</Badge>;
}

function Switcher({ name }: { name: string }) {
  const me = useMe();
  const organizations = useApi<Organization[]>("manage", "/organizations");
  const [isNew, setNew] = useState(false);
  const projects = me.data?.projects ?? [];
  return (
    <>
      <Menu position="bottom-start" width={280} withInitialFocusPlaceholder={false} transitionProps={{ duration: 0 }}>
        <Menu.Target>
          <Button variant="default" size="xs" maw={260} data-testid="project" aria-label={`Project ${name}. Switch to another one`} rightSection={<Icon path="M7 10l5 5 5-5" />}>{name}</Button>
        </Menu.Target>
        <Menu.Dropdown mah="70vh" style={{ overflowY: "auto" }}>
          <Menu.Label c="dimmed">Your projects</Menu.Label>
          {projects.map((each) => (
            <Menu.Item key={each.id} component="a" href={`${BASE}/projects/${each.id}`} aria-current={String(each.id) === shownProject() ? "true" : undefined} fw={String(each.id) === shownProject() ? 650 : undefined}>
              <span className="wrap">{each.name}</span>
              <Text size="xs" c="var(--mantine-color-text)" fw={400}>{each.id} · {ROLE_NAMES[each.role]}</Text>
            </Menu.Item>
          ))}
          {Boolean(organizations.data?.length) && <><Menu.Divider /><Menu.Item onClick={() => setNew(true)}>New project…</Menu.Item></>}
        </Menu.Dropdown>
      </Menu>
      {isNew && <NewProject onClose={() => setNew(false)} />}
    </>
  );
}
