// Says that what is shown may be old, while the stack does not respond. It is asked again by itself, later each time.
import { Alert, Button, Group, Text } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useCallback, useSyncExternalStore } from "react";
import { isTemporary } from "./api/reach";

export function Connection() {
  const queries = useQueryClient();
  const cache = queries.getQueryCache();
  const subscribe = useCallback((tell: () => void) => cache.subscribe(tell), [cache]);
  const isLost = useSyncExternalStore(subscribe, () => cache.findAll({ type: "active" }).some(({ state }) => state.data !== undefined && isTemporary(state.error)));
  if (!isLost) return null;
  return (
    <Alert color="yellow" variant="light" role="status" mb="md" p="xs">
      <Group justify="space-between">
        <Text size="sm" c="var(--mantine-color-text)">The stack does not respond. What is shown may be old; it is asked again by itself.</Text>
        <Button size="compact-sm" variant="default" onClick={() => void queries.refetchQueries({ type: "active" })}>Try again</Button>
      </Group>
    </Alert>
  );
}
