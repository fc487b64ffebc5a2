// What a person sees where no project can be shown: none, one of others, or one that refuses everybody.
import { Anchor, Button, Center, Group, NavLink, Paper, Stack, Text, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { BASE } from "../../shared/api/address";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange } from "../../shared/api/hooks";
import { signOut } from "../../shared/api/session";
import type { Me, Organization } from "../../shared/api/types";
import { OwnInvitations } from "../../shared/OwnInvitations";
import { NewProject } from "../../shared/NewProject";
import { Failure } from "../../shared/parts";
import { ROLE_NAMES } from "../../shared/roles";

export function NoProject({ me }: { me: Me }) {
  return (
    <Frame me={me} title="You are in no project yet">
      <Text size="sm">Accept an invitation, create a project, or ask an administrator of a project to invite <b>{me.user.email}</b>.</Text>
      <Ways />
    </Frame>
  );
}

export function NotMember({ me, wanted }: { me: Me; wanted: string }) {
  return (
    <Frame me={me} title={`You are not a member of project ${wanted}`}>
      <Text size="sm">The address names a project that {me.user.email} cannot open. It may be misspelled, or one that you were not invited to.</Text>
      <Join isSuper={me.isSuperAdmin} wanted={wanted} />
      <Ways />
    </Frame>
  );
}

export function Unusable({ me, error }: { me: Me; error: Error }) {
  return (
    <Frame me={me} title="This project cannot be opened">
      <Failure error={error} />
    </Frame>
  );
}

function Frame({ me, title, children }: { me: Me; title: string; children: ReactNode }) {
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w={480} maw="100%">
        <Stack>
          <Title order={1} fz={20}>{title}</Title>
          {children}
          {me.projects.length > 0 && (
            <nav aria-label="Your projects">
              <Text size="xs" c="dimmed" mb={4}>Your projects</Text>
              {me.projects.map((each) => <NavLink key={each.id} href={`${BASE}/projects/${each.id}`} label={each.name} description={ROLE_NAMES[each.role]} />)}
            </nav>
          )}
          <Group justify="space-between">
            <Anchor href={`${BASE}/account`} size="sm" td="underline">Your account</Anchor>
            <Button variant="subtle" size="xs" color="gray" c="var(--mantine-color-text)" onClick={() => void signOut()}>Sign out {me.user.email}</Button>
          </Group>
        </Stack>
      </Paper>
    </Center>
  );
}

function Ways() {
  const organizations = useApi<Organization[]>("manage", "/organizations");
  const [isNew, setNew] = useState(false);
  return (
    <>
      <OwnInvitations />
      {Boolean(organizations.data?.length) && <Button variant="default" onClick={() => setNew(true)}>Create a project</Button>}
      {isNew && <NewProject onClose={() => setNew(false)} />}
    </>
  );
}

/** A super administrator joins at once; others ask, and the administrators of the project decide. */
function Join({ isSuper, wanted }: { isSuper: boolean; wanted: string }) {
  const [isAsked, setAsked] = useState(false);
  const project = `/projects/${enc(wanted)}`;
  const join = useChange(() => call("manage", `${project}/join-project`, { method: "POST" }), () => location.reload());
  const ask = useChange(() => call("manage", `${project}/request-access`, { method: "POST", body: {} }), () => setAsked(true));
  if (isAsked) return <Text size="sm" role="status">The administrators of the project see your request now.</Text>;
  if (isSuper) return <Button onClick={() => join.mutate(undefined)} loading={join.isPending}>Join it as an administrator</Button>;
  return <Button variant="default" onClick={() => ask.mutate(undefined)} loading={ask.isPending}>Ask to join</Button>;
}
