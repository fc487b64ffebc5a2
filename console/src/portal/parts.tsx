// Small parts of the portal's views.
import { Badge, Button, Group, Paper, Title } from "@mantine/core";
import { type ReactNode, useState } from "react";

const COLORS: Record<string, string> = { GET: "blue", POST: "teal", PUT: "orange", PATCH: "orange", DELETE: "red" };

export function Method({ of }: { of: string }) {
  return <Badge color={COLORS[of] ?? "gray"} variant="light" size="sm" radius="sm" className="status portal-method">{of}</Badge>;
}

/** A sentence, in which `names` are marked. */
export function Words({ of }: { of: string }) {
  return <>{of.split("`").map((part, at) => (at % 2 ? <code key={at} className="mono">{part}</code> : part))}</>;
}

export function Section({ title, actions, children }: { title: string; actions?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz={16}>{title}</Title>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}

export function Code({ text, label }: { text: string; label: string }) {
  return <pre className="portal-code" tabIndex={0} aria-label={label}>{text}</pre>;
}

export function Copy({ text }: { text: string }) {
  const [isCopied, setCopied] = useState(false);
  const copy = (): void => { void navigator.clipboard?.writeText(text).then(() => setCopied(true)); };
  return <Button variant="default" size="compact-xs" onClick={copy}>{isCopied ? "Copied" : "Copy"}</Button>;
}

export const pretty = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value, null, 2));
