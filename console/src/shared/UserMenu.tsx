import { ActionIcon, Button, Menu, Text } from "@mantine/core";
import { BASE, shownProject } from "./api/address";
import { useMe, useSignOut } from "./api/hooks";
import { useSession } from "./api/session";
import { Icon } from "./Icon";

/** The account of a person, and the way out. */
export function UserMenu() {
  const me = useMe();
  const leave = useSignOut();
  if (useSession() !== "person") return <Button variant="subtle" size="xs" color="gray" c="var(--mantine-color-text)" onClick={leave}>Sign out</Button>;
  return (
    <Menu position="bottom-end" width={240} withInitialFocusPlaceholder={false} transitionProps={{ duration: 0 }}>
      <Menu.Target>
        <ActionIcon variant="default" size={30} aria-label="Your account"><Icon path="M12 4a4 4 0 1 0 .1 0M4 20c0-7 16-7 16 0" /></ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label c="dimmed"><Text size="xs" className="wrap">{me.data?.user.name || me.data?.user.email}</Text></Menu.Label>
        <Menu.Item component="a" href={`${BASE}/account?from=${shownProject()}`}>Account</Menu.Item>
        <Menu.Item onClick={leave}>Sign out</Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
