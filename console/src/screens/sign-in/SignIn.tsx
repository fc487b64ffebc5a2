import { Anchor, Button, Center, Divider, Paper, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { useEffect, useState } from "react";
import { STORAGE_URL, BASE } from "../../shared/api/address";
import { findSession, hasSingleSignOn } from "../../shared/api/session";
import { PasswordForm } from "./PasswordForm";
import { TokenForm } from "./TokenForm";

const WAYS = [{ value: "password", label: "E-mail and password" }, { value: "token", label: "Token" }];

export function SignIn() {
  const [way, setWay] = useState("password");
  const [hasSso, setSso] = useState(hasSingleSignOn());
  useEffect(() => {
    document.title = "Sign in · Penstock";
    findSession().then(() => setSso(hasSingleSignOn()), () => undefined);
  }, []);
  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w={420} maw="100%">
        <Stack>
          <div>
            <Title order={1} fz={24}>Penstock</Title>
            <Text c="dimmed" size="sm">Sign in to this stack.</Text>
          </div>
          <SegmentedControl data={WAYS} value={way} onChange={setWay} fullWidth aria-label="How to sign in" />
          {way === "password" ? <PasswordForm /> : <TokenForm />}
          {hasSso && way === "password" && (
            <>
              <Divider label="or" labelPosition="center" />
              <Button component="a" href={ssoAddress()} variant="default">Sign in with single sign-on</Button>
            </>
          )}
          {way === "password" && (
            <Text fz="xs" c="dimmed">
              <Anchor href={`${STORAGE_URL}/v1/auth/page/forgotten`} fz="xs" td="underline">Forgotten your password?</Anchor> At the first start, open the link that <code>make up</code> prints beside “Sign in”; <code>penstock login link</code> prints a new one.
            </Text>
          )}
        </Stack>
      </Paper>
    </Center>
  );
}

/** The provider sends the browser back to the screen that was asked for. */
function ssoAddress(): string {
  const path = location.pathname.slice(BASE.length);
  const next = `/admin${path === "" ? "/" : path}${location.search}`;
  return `${STORAGE_URL}/v1/auth/page/sso?next=${encodeURIComponent(next)}`;
}
