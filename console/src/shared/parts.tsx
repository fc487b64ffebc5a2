// Small parts that every screen is made of.
import { Alert, Anchor, Badge, Button, Center, Code, Group, Paper, Skeleton, Stack, Text, Title, Tooltip, type AnchorProps } from "@mantine/core";
import { useLocation } from "@tanstack/react-router";
import { type ReactNode, useEffect, useState } from "react";
import { branchIn } from "./api/branches";
import { ApiError } from "./api/client";
import { enc, useProject } from "./api/hooks";
import { ago, moment } from "./format";
import { Said } from "./Said";
import { ScreenLink } from "./ScreenLink";

export function useScreenPath(): (path: string) => string {
  const { data } = useProject();
  const branch = useLocation({ select: (location) => branchIn(location.pathname) });
  return (path) => `/projects/${data?.owner?.id ?? 0}/${branch ? `branch/${branch}/` : ""}${path}`;
}

/** A link to a screen of the project. */
export function Go({ to, children, ...rest }: { to: string; title?: string; children: ReactNode } & AnchorProps) {
  const screenPath = useScreenPath();
  return (
    <Anchor component={ScreenLink} to={screenPath(to)} {...rest}>
      {children}
    </Anchor>
  );
}

export const tablePath = (id: string): string => {
  const at = id.lastIndexOf(".");
  return `storage/${enc(id.slice(0, at))}/table/${enc(id.slice(at + 1))}`;
};
export const configPath = (component: string, config: string): string => `components/${enc(component)}/${enc(config)}`;

export function Page({ title, actions, children }: { title: ReactNode; actions?: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = typeof title === "string" ? `${title} · Penstock` : "Penstock";
  }, [title]);
  return (
    <Stack gap="lg">
      <Group justify="space-between" align="flex-start" gap="sm">
        <Title order={1} fz={24} className="wrap">
          {title}
        </Title>
        <Group gap="xs">{actions}</Group>
      </Group>
      {children}
    </Stack>
  );
}

export function Section({ title, actions, children }: { title: ReactNode; actions?: ReactNode; children: ReactNode }) {
  return (
    <Paper withBorder p="md" component="section">
      <Group justify="space-between" mb="sm">
        <Title order={2} fz={16}>
          {title}
        </Title>
        {actions}
      </Group>
      {children}
    </Paper>
  );
}

interface Asked<T> {
  data: T | undefined;
  error: Error | null;
  isPending: boolean;
  refetch?: () => unknown;
}

const WIDTHS = ["92%", "78%", "85%", "40%"];

/** What was asked for, or why it is not there. Its shape is shown in grey after a moment, not at once. */
export function Loaded<T>({ of, children }: { of: Asked<T>; children: (data: T) => ReactNode }) {
  if (of.data !== undefined) return <>{children(of.data)}</>;
  if (of.error) return <Failure error={of.error} onRetry={of.refetch} />;
  return <Waiting />;
}

export function Waiting() {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), 300);
    return () => clearTimeout(timer);
  }, []);
  return (
    <Stack mih={80} gap="sm" py="sm" role="status" aria-label="Loading">
      {isLate && WIDTHS.map((width) => <Skeleton key={width} h={12} w={width} animate={false} />)}
    </Stack>
  );
}

/** It would be refused again. */
const isRefused = (error: Error): boolean => error instanceof ApiError && [400, 403, 404].includes(error.status);

export function Failure({ error, onRetry }: { error: Error; onRetry?: (() => unknown) | undefined }) {
  return (
    <Alert color="red" variant="light" role="alert" title={<Said text={error.message} />}>
      {error instanceof ApiError && error.exceptionId && (
        <Text size="sm" c="var(--mantine-color-text)">
          Exception id: <Code className="wrap">{error.exceptionId}</Code>
        </Text>
      )}
      {onRetry && !isRefused(error) && <Button mt="xs" size="compact-sm" variant="default" onClick={() => void onRetry()}>Try again</Button>}
    </Alert>
  );
}

export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <Center py="xl">
      <Stack gap="xs" align="center" maw={520} ta="center">
        <Text fw={600}>{title}</Text>
        <Text size="sm" c="dimmed" component="div">
          {children}
        </Text>
      </Stack>
    </Center>
  );
}

const COLORS: Record<string, string> = {
  success: "teal", completed: "teal", enabled: "teal", ok: "teal", delivered: "teal",
  error: "red", failed: "red", processing: "blue", warning: "orange", waiting: "yellow",
};

export function Status({ of }: { of: string }) {
  return (
    <Badge color={COLORS[of] ?? "gray"} variant="light" tt="none" autoContrast className="status">
      {of}
    </Badge>
  );
}

export function When({ at }: { at: string | null | undefined }) {
  return (
    <Tooltip label={moment(at)}>
      <Text span size="sm" style={{ whiteSpace: "nowrap" }}>
        {ago(at)}
      </Text>
    </Tooltip>
  );
}

export function Facts({ of }: { of: [string, ReactNode][] }) {
  return (
    <Group gap="xl" align="flex-start">
      {of.map(([name, value]) => (
        <div key={name}>
          <Text size="xs" c="dimmed">
            {name}
          </Text>
          <Text size="sm" component="div" className="wrap">
            {value}
          </Text>
        </div>
      ))}
    </Group>
  );
}
