// What a person sees where no project can be shown: none, one of others, or one that refuses everybody.
import { Anchor, Button, Center, Group, NavLink, Paper, Stack, Text, Title } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { BASE } from "../../shared/api/address";
import { ApiError, call } from "../../shared/api/client";
import { enc, useApi, useChange, useSignOut } from "../../shared/api/hooks";
import type { Me, Organization, Project } from "../../shared/api/types";
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
      {me.isSuperAdmin ? <JoinNow wanted={wanted} /> : <Join wanted={wanted} email={me.user.email} />}
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
  const leave = useSignOut();
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
            <Button variant="subtle" size="xs" color="gray" c="var(--mantine-color-text)" onClick={leave}>Sign out {me.user.email}</Button>
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

/** Members of an organization that allows it join at once; others ask, and the administrators of the project decide. */
function Join({ wanted, email }: { wanted: string; email: string }) {
  const project = useApi<Project>("manage", `/projects/${enc(wanted)}`);
  if (project.isPending) return null;
  return project.data?.organization.allowAutoJoin ? <JoinNow wanted={wanted} /> : <Ask wanted={wanted} email={email} />;
}

function JoinNow({ wanted }: { wanted: string }) {
  const join = useChange(() => call("manage", `/projects/${enc(wanted)}/join-project`, { method: "POST" }), () => location.reload());
  return <Button onClick={() => join.mutate(undefined)} loading={join.isPending}>Join it as an administrator</Button>;
}

function Ask({ wanted, email }: { wanted: string; email: string }) {
  const ask = useMutation({ mutationFn: () => call("manage", `/projects/${enc(wanted)}/request-access`, { method: "POST", body: {} }) });
  if (ask.isSuccess) return <Text size="sm" role="status">The administrators of the project see your request now.</Text>;
  const isRefused = ask.error instanceof ApiError && [403, 404].includes(ask.error.status);
  return (
    <>
      {ask.error && <Failure error={ask.error} />}
      {isRefused ? (
        <Text size="sm">You cannot ask here. Tell an administrator of the project to invite <b>{email}</b>.</Text>
      ) : (
        <Button variant="default" onClick={() => ask.mutate()} loading={ask.isPending}>Ask to join</Button>
      )}
    </>
  );
}
