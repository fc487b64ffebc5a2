// A code of an authenticator app, asked for after the password.
import { Alert, Anchor, Button, Code, Group, Stack, Text, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { encode } from "uqr";
import { call } from "../../shared/api/client";
import { useChange } from "../../shared/api/hooks";
import type { FactorSetup, RecoveryCodes } from "../../shared/api/types";
import { Status } from "../../shared/parts";

export function SecondFactor({ isEnabled }: { isEnabled: boolean }) {
  const [setup, setSetup] = useState<FactorSetup | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const start = useChange(() => call<FactorSetup>("auth", "/second-factor", { method: "POST" }), setSetup);
  if (codes) return <Recovery codes={codes} onDone={() => setCodes(null)} />;
  if (isEnabled) return <Enabled />;
  if (setup) return <Setup setup={setup} onCodes={(found) => { setCodes(found); setSetup(null); }} />;
  return (
    <Group justify="space-between">
      <Text size="sm" flex={1}>A code of an authenticator app on your phone is asked for after the password, so that a stolen password alone opens nothing.</Text>
      <Button variant="default" loading={start.isPending} onClick={() => start.mutate(undefined)}>Enable</Button>
    </Group>
  );
}

function Setup({ setup, onCodes }: { setup: FactorSetup; onCodes: (codes: string[]) => void }) {
  const confirm = useChange((code: string) => call<RecoveryCodes>("auth", "/second-factor/confirm", { method: "POST", body: { code } }), ({ recoveryCodes }) => onCodes(recoveryCodes));
  return (
    <Stack>
      <Text size="sm">Scan this with an authenticator app, or type the key below into it, and enter the code that it shows. On the phone itself, <Anchor href={setup.uri} size="sm" td="underline">this link</Anchor> opens the app.</Text>
      <QrCode text={setup.uri} />
      <Code block className="wrap" data-testid="factor-key">{setup.secret}</Code>
      <CodeForm label="Code" submit="Confirm" isBusy={confirm.isPending} onCode={(code) => confirm.mutate(code)} />
    </Stack>
  );
}

/** Drawn here, so that the key is not sent anywhere. Dark on light in both colour schemes, with the margin that readers need. */
function QrCode({ text }: { text: string }) {
  const { data, size } = encode(text, { border: 0 });
  const dark = data.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ""))).join("");
  return <svg viewBox={`-4 -4 ${size + 8} ${size + 8}`} width={220} height={220} role="img" aria-label="QR code of the key" shapeRendering="crispEdges" style={{ background: "#fff", borderRadius: 8 }}><path d={dark} fill="#000" /></svg>;
}

function Recovery({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <Stack>
      <Alert color="yellow" variant="light" title="Recovery codes are shown only now">Each works once instead of a code of the app, if you lose your phone. Keep them where your phone is not.</Alert>
      <Code block data-testid="recovery-codes">{codes.join("\n")}</Code>
      <Group><Button onClick={onDone}>I have kept them</Button></Group>
    </Stack>
  );
}

function Enabled() {
  const remove = useChange((code: string) => call("auth", "/second-factor/remove", { method: "POST", body: { code } }));
  return (
    <Stack>
      <Group gap="xs"><Status of="enabled" /><Text size="sm">A code of your app is asked for after the password.</Text></Group>
      <CodeForm label="Code, to disable it" submit="Disable" isBusy={remove.isPending} onCode={(code) => remove.mutate(code)} />
    </Stack>
  );
}

function CodeForm({ label, submit, isBusy, onCode }: { label: ReactNode; submit: string; isBusy: boolean; onCode: (code: string) => void }) {
  const [code, setCode] = useState("");
  return (
    <form onSubmit={(event) => { event.preventDefault(); onCode(code.trim()); }}>
      <Group align="flex-end">
        <TextInput label={label} autoComplete="one-time-code" value={code} onChange={(event) => setCode(event.currentTarget.value)} required w={200} />
        <Button type="submit" variant="default" loading={isBusy}>{submit}</Button>
      </Group>
    </form>
  );
}
