// How far an upload or an export has come, with a way to stop it.
import { Button, Group, Progress as Bar, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Progress } from "./api/transfers";

export interface Transfer {
  /** From 0 to 1; null if nothing is under way. */
  now: { done: number; text: string } | null;
  error: Error | null;
  start: (work: (progress: Progress, signal: AbortSignal) => Promise<void>) => Promise<void>;
  cancel: () => void;
}

export function useTransfer(): Transfer {
  const [now, setNow] = useState<Transfer["now"]>(null);
  const [error, setError] = useState<Error | null>(null);
  const abort = useRef<AbortController>(null);
  useEffect(() => () => abort.current?.abort(), []);
  async function start(work: Parameters<Transfer["start"]>[0]): Promise<void> {
    const controller = (abort.current = new AbortController());
    setError(null);
    setNow({ done: 0, text: "Starting" });
    try {
      await work((done, text) => !controller.signal.aborted && setNow({ done, text }), controller.signal);
    } catch (problem) {
      if (!controller.signal.aborted) setError(problem as Error);
    }
    setNow(null);
  }
  return { now, error, start, cancel: () => abort.current?.abort() };
}

export function TransferBar({ of: { now, cancel }, label }: { of: Transfer; label: string }) {
  if (!now) return null;
  const isMeasured = now.done > 0 && now.done < 1;
  return (
    <Group gap="sm" wrap="nowrap">
      <div style={{ flex: 1, minWidth: 150 }}>
        <Text size="sm" mb={4} role="status">{now.text} {isMeasured ? `${Math.round(now.done * 100)} %` : "…"}</Text>
        <Bar value={isMeasured ? now.done * 100 : 100} animated={!isMeasured} aria-label={label} />
      </div>
      <Button size="xs" variant="default" onClick={cancel}>Cancel</Button>
    </Group>
  );
}
