// E-mail and password, and then the code of the second factor if the person has one.
import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { reachOk } from "../../shared/api/reach";
import { AUTH_URL, enter } from "../../shared/api/session";
import type { MfaRequired } from "../../shared/api/types";
import { Failure } from "../../shared/parts";

export function PasswordForm() {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [asked, setAsked] = useState<MfaRequired | null>(null);
  const attempt = useAttempt(() => send("/session", { email: email.trim(), password }), setAsked);
  if (asked) return <CodeForm asked={asked} onBack={() => setAsked(null)} />;
  return (
    <form onSubmit={attempt.submit}>
      <Stack>
        <TextInput label="E-mail address" type="email" autoComplete="username" value={email} onChange={(event) => setEmail(event.currentTarget.value)} required autoFocus />
        <PasswordInput label="Password" autoComplete="current-password" value={password} onChange={(event) => setPassword(event.currentTarget.value)} required />
        {attempt.error && <Failure error={attempt.error} />}
        <Button type="submit" loading={attempt.isBusy}>Sign in</Button>
      </Stack>
    </form>
  );
}

function CodeForm({ asked, onBack }: { asked: MfaRequired; onBack: () => void }) {
  const [code, setCode] = useState("");
  const attempt = useAttempt(() => send("/session/mfa", { mfaToken: asked.mfaToken, code: code.trim() }), () => undefined);
  return (
    <form onSubmit={attempt.submit}>
      <Stack>
        <TextInput label="Code" description="Of your authenticator app, or a recovery code." inputMode="text" autoComplete="one-time-code" value={code} onChange={(event) => setCode(event.currentTarget.value)} required autoFocus />
        {attempt.error && <Failure error={attempt.error} />}
        <Button type="submit" loading={attempt.isBusy}>Continue</Button>
        <Button variant="subtle" onClick={onBack}><Text size="sm">Back</Text></Button>
      </Stack>
    </form>
  );
}

/** One attempt at a time. It ends in the console, in the question for a code, or in a sentence. */
function useAttempt(work: () => Promise<MfaRequired | null>, ask: (asked: MfaRequired) => void) {
  const queries = useQueryClient();
  const [error, setError] = useState<Error | null>(null);
  const [isBusy, setBusy] = useState(false);
  function submit(event: FormEvent): void {
    event.preventDefault();
    setBusy(true);
    setError(null);
    work().then((asked) => (asked ? ask(asked) : finish()), setError).finally(() => setBusy(false));
  }
  function finish(): void {
    queries.clear();
    enter();
  }
  return { submit, error, isBusy };
}

async function send(path: string, body: object): Promise<MfaRequired | null> {
  const response = await reachOk(AUTH_URL + path, { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) });
  return response.status === 204 ? null : ((await response.json()) as MfaRequired);
}
