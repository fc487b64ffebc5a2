import { Button, Group, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { Failure } from "../../shared/parts";
import { type Profile, signIn } from "./developer";

export function DeveloperSignIn({ onSignedIn }: { onSignedIn: (profile: Profile) => void }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [session, setSession] = useState("");
  const [code, setCode] = useState("");
  const enter = useMutation({
    mutationFn: () => signIn(session ? { email, session, code } : { email, password }),
    onSuccess: (found) => ("session" in found ? setSession(found.session) : onSignedIn(found)),
  });
  return (
    <form onSubmit={(event) => { event.preventDefault(); enter.mutate(); }}>
      <Stack gap="sm" maw={420}>
        <Text size="sm">Components belong to vendors. Sign in with your e-mail address and password, or with an account that an operator made with <code>penstock developers create</code>.</Text>
        <TextInput label="E-mail or developer account" autoComplete="username" value={email} onChange={(event) => setEmail(event.currentTarget.value)} required />
        <PasswordInput label="Password" autoComplete="current-password" value={password} onChange={(event) => setPassword(event.currentTarget.value)} required visibilityToggleButtonProps={{ "aria-label": "Show the password", tabIndex: 0 }} />
        {session && <TextInput label="Code of the second factor" autoComplete="one-time-code" inputMode="numeric" value={code} onChange={(event) => setCode(event.currentTarget.value)} required />}
        {enter.error && <Failure error={enter.error} />}
        <Group><Button type="submit" loading={enter.isPending}>Sign in as a developer</Button></Group>
      </Stack>
    </form>
  );
}
