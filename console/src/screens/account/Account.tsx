// What belongs to the person and not to a project: second factor, tokens for programs, password, sign-ins.
import { Anchor, Button, Container, Group, Text } from "@mantine/core";
import { BASE } from "../../shared/api/address";
import { useMe, useSignOut } from "../../shared/api/hooks";
import { OwnInvitations } from "../../shared/OwnInvitations";
import { Loaded, Page, Section } from "../../shared/parts";
import { Password } from "./Password";
import { PersonalTokens } from "./PersonalTokens";
import { SecondFactor } from "./SecondFactor";
import { SignIns } from "./SignIns";

export function Account() {
  const me = useMe();
  const leave = useSignOut();
  return (
    <Container size="md" py="lg" component="main">
      <Loaded of={me}>
        {(found) => (
          <Page title="Account" actions={<><Anchor href={back()} size="sm" td="underline">Back to the console</Anchor><Button variant="default" size="xs" onClick={leave}>Sign out</Button></>}>
            <Group gap="xs"><Text size="sm" className="wrap">{found.user.name} · {found.user.email}{found.isSuperAdmin ? " · administrator of the stack" : ""}</Text></Group>
            <OwnInvitations />
            <Section title="Second factor"><SecondFactor isEnabled={found.mfaEnabled} /></Section>
            <Section title="Personal access tokens"><PersonalTokens projects={found.projects} /></Section>
            <Section title="Password"><Password /></Section>
            <Section title="Sign-ins"><SignIns /></Section>
          </Page>
        )}
      </Loaded>
    </Container>
  );
}

function back(): string {
  const from = new URLSearchParams(location.search).get("from") ?? "";
  return /^\d+$/.test(from) ? `${BASE}/projects/${from}` : `${BASE}/`;
}
