// Without a token of this stack, every address shows the sign-in; with one, what it names.
import { Alert, Box, Button, Center, Paper, PasswordInput, Stack, Text, Title } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { Outlet } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "../../shared/api/client";
import { useProject } from "../../shared/api/hooks";
import { keepToken, useToken } from "../../shared/api/session";
import type { Token } from "../../shared/api/types";
import { Failure, Waiting } from "../../shared/parts";

export function Entry() {
  const token = useToken();
  return token ? <Signed key={token} /> : <SignIn />;
}

function Signed() {
  const project = useProject();
  if (project.data) return <Outlet />;
  return <Center mih="60vh">{project.error ? <Failure error={project.error} /> : <Waiting />}</Center>;
}

function SignIn() {
  const queries = useQueryClient();
  const [token, setToken] = useState("");
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);

  async function signIn(event: FormEvent): Promise<void> {
    event.preventDefault();
    setBusy(true);
    setError(null);
    try {
      await call<Token>("storage", "/tokens/verify", { token: token.trim() });
      queries.clear();
      keepToken(token.trim());
    } catch (problem) {
      setError(problem as Error);
      setBusy(false);
    }
  }

  return (
    <Center mih="100vh" p="md" component="main">
      <Paper withBorder p="xl" w={420} maw="100%">
        <form onSubmit={(event) => void signIn(event)}>
          <Stack>
            <div>
              <Title order={1} fz={24}>
                Penstock
              </Title>
              <Text c="dimmed" size="sm">
                Sign in with a Storage token of a project.
              </Text>
            </div>
            <PasswordInput
              label="Token"
              description={<>Printed by <code>make up</code>; also in the file <code>.penstock/admin-token</code>.</>}
              value={token}
              onChange={(event) => setToken(event.currentTarget.value)}
              autoComplete="off"
              data-autofocus
              autoFocus
              required
            />
            {error && (
              <Alert color="red" variant="light" role="alert" title={error.message}>
                <Text size="sm" c="var(--mantine-color-text)">Copy the whole token; a token of another stack does not work here.</Text>
              </Alert>
            )}
            <Button type="submit" loading={isBusy}>
              Sign in
            </Button>
            <Box fz="xs" c="dimmed">
              The token is kept until this browser tab is closed, and sent to this stack only.
            </Box>
          </Stack>
        </form>
      </Paper>
    </Center>
  );
}
