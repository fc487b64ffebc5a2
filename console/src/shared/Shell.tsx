// The frame of every screen: project, navigation, palette, colours.
import { AppShell, Burger, Button, Group, Kbd, NavLink, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { Outlet, useLocation, useParams } from "@tanstack/react-router";
import { Suspense } from "react";
import { useProject } from "./api/hooks";
import { BranchPicker } from "./BranchPicker";
import { ColorSwitch } from "./ColorSwitch";
import { DensitySwitch } from "./DensitySwitch";
import { Connection } from "./Connection";
import { Guard } from "./Guard";
import { Icon } from "./Icon";
import { openPalette, Palette } from "./Palette";
import { Empty, Go, useScreenPath, Waiting } from "./parts";
import { SCREENS } from "./screens";
import { ScreenLink } from "./ScreenLink";
import { ProjectSwitcher } from "./ProjectSwitcher";
import { UserMenu } from "./UserMenu";

export function Shell() {
  const { project: wanted } = useParams({ strict: false });
  const { data } = useProject();
  const [isOpen, { toggle, close }] = useDisclosure();
  const isOther = data?.owner !== undefined && String(data.owner.id) !== wanted;
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 220, breakpoint: "sm", collapsed: { mobile: !isOpen } }} padding="lg">
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Navigation" />
            <Text fw={700} visibleFrom="xs">Penstock</Text>
            <ProjectSwitcher />
            {!isOther && <BranchPicker />}
          </Group>
          <Group gap="xs" wrap="nowrap">
            <Button variant="default" size="xs" onClick={openPalette} rightSection={<Kbd size="xs">Ctrl K</Kbd>} visibleFrom="xs">Go to…</Button>
            <DensitySwitch />
            <ColorSwitch />
            <UserMenu />
          </Group>
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Screens">
        <Navigation onGo={close} />
      </AppShell.Navbar>
      <AppShell.Main>
        <Palette />
        <Guard />
        <Connection />
        {isOther ? (
          <Empty title={`Your token belongs to another project: ${data?.owner?.name}`}>
            The address names project {wanted}. Sign out, and sign in with your e-mail address or with a token of that project, or <Go to="">go to yours</Go>.
          </Empty>
        ) : (
          <Suspense fallback={<Waiting />}>
            <Outlet />
          </Suspense>
        )}
      </AppShell.Main>
    </AppShell>
  );
}

function Navigation({ onGo }: { onGo: () => void }) {
  const screenPath = useScreenPath();
  const path = useLocation({ select: (location) => location.pathname });
  const current = findCurrent(path);
  return (
    <>
      {SCREENS.map((screen) => (
        <NavLink
          key={screen.path}
          component={ScreenLink}
          to={screenPath(screen.path)}
          label={screen.label}
          leftSection={<Icon path={screen.icon} />}
          active={current === screen.path}
          aria-current={current === screen.path ? "page" : undefined}
          onClick={onGo}
          style={{ borderRadius: 8 }}
        />
      ))}
    </>
  );
}

/** `components/x` is the catalogue, `components/x/y` a configuration. */
function findCurrent(path: string): string {
  const rest = path.replace(/^.*?\/projects\/[^/]+\/?(branch\/[^/]+\/?)?/, "").replace(/\/$/, "");
  const [first = "", , third] = rest.split("/");
  if (rest === "components/configurations" || (first === "components" && third)) return "components/configurations";
  return first.replace("flows-v2", "flows");
}
