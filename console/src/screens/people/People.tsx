import { Button } from "@mantine/core";
import { useState } from "react";
import { ApiError } from "../../shared/api/client";
import { useManages } from "../../shared/api/hooks";
import { useSession } from "../../shared/api/session";
import { Empty, Page, Section } from "../../shared/parts";
import { Invitations } from "./Invitations";
import { Invite } from "./Invite";
import { JoinRequests } from "./JoinRequests";
import { Members, useMembers } from "./Members";

export function People() {
  return useSession() === "person" ? <OfProject /> : <NeedsPerson />;
}

function NeedsPerson() {
  return (
    <Page title="People">
      <Empty title="Sign in with your e-mail address to see people">A Storage token works with the data of its project, and not with its members. Sign out, and sign in with e-mail and password.</Empty>
    </Page>
  );
}

function OfProject() {
  const { error } = useMembers();
  const manages = useManages();
  const [isInviting, setInviting] = useState(false);
  if (error instanceof ApiError && error.status === 403) return <Page title="People"><Empty title="Your role does not see the people of this project">{error.message}</Empty></Page>;
  return (
    <Page title="People" actions={manages && <Button onClick={() => setInviting(true)}>Invite</Button>}>
      <Section title="Members"><Members manages={manages} /></Section>
      <Section title="Invitations"><Invitations manages={manages} /></Section>
      {manages && <Section title="Requests to join"><JoinRequests /></Section>}
      {isInviting && <Invite onClose={() => setInviting(false)} />}
    </Page>
  );
}
