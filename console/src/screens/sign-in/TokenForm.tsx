import { Alert, Box, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { call } from "../../shared/api/client";
import { enterWithToken } from "../../shared/api/session";
import type { Token } from "../../shared/api/types";

export function TokenForm() {
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
      enterWithToken(token.trim());
    } catch (problem) {
      setError(problem as Error);
      setBusy(false);
    }
  }

  return (
    <form onSubmit={(event) => void signIn(event)}>
      <Stack>
        <PasswordInput
          label="Token"
          description={<>A Storage token of a project. <code>make up</code> prints one; it is also in the file <code>.penstock/admin-token</code>.</>}
          value={token}
          onChange={(event) => setToken(event.currentTarget.value)}
          autoComplete="off"
          autoFocus
          required
        />
        {error && (
          <Alert color="red" variant="light" role="alert" title={error.message}>
            <Text size="sm" c="var(--mantine-color-text)">Copy the whole token; a token of another stack does not work here.</Text>
          </Alert>
        )}
        <Button type="submit" loading={isBusy}>Sign in</Button>
        <Box fz="xs" c="dimmed">The token is kept until this browser tab is closed, and sent to this stack only.</Box>
      </Stack>
    </form>
  );
}
