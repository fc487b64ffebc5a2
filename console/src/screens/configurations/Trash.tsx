import { Group, Modal, Table } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange } from "../../shared/api/hooks";
import type { Component } from "../../shared/api/types";
import { Confirm } from "../../shared/Confirm";
import { Empty, Loaded, When } from "../../shared/parts";

/** Configurations that were deleted, to restore or to remove for good. */
export function Trash({ onClose }: { onClose: () => void }) {
  const deleted = useApi<Component[]>("storage", "/components", { include: "configuration", isDeleted: true });
  const restore = useChange((path: string) => call("storage", `${path}/restore`, { method: "POST", body: {} }));
  const [purged, setPurged] = useState<{ name: string; path: string } | null>(null);
  if (purged) return <Purge {...purged} onClose={() => setPurged(null)} />;
  return (
    <Modal opened onClose={onClose} size="lg" title="Trash" closeButtonProps={{ "aria-label": "Close" }}>
      <Loaded of={deleted}>
        {(found) => {
          const all = found.flatMap((component) => (component.configurations ?? []).map((config) => ({ component, config, path: `/components/${enc(component.id)}/configs/${enc(config.id)}` })));
          if (!all.length) return <Empty title="The trash is empty" />;
          return (
            <div className="list">
              <Table>
                <Table.Thead><Table.Tr><Table.Th>Name</Table.Th><Table.Th>Component</Table.Th><Table.Th>Changed</Table.Th><Table.Th /></Table.Tr></Table.Thead>
                <Table.Tbody>
                  {all.map(({ component, config, path }) => (
                    <Table.Tr key={path}>
                      <Table.Td className="wrap">{config.name}</Table.Td>
                      <Table.Td>{component.name}</Table.Td>
                      <Table.Td><When at={config.currentVersion.created} /></Table.Td>
                      <Table.Td>
                        <Group gap="xs" wrap="nowrap" justify="flex-end">
                          <Act needs={{ component: component.id }} size="compact-xs" variant="default" aria-label={`Restore ${config.name}`} loading={restore.isPending && restore.variables === path} onClick={() => restore.mutate(path)}>Restore</Act>
                          <Act needs={{ component: component.id }} size="compact-xs" variant="subtle" color="red" aria-label={`Delete for good: ${config.name}`} onClick={() => setPurged({ name: config.name, path })}>Delete for good</Act>
                        </Group>
                      </Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          );
        }}
      </Loaded>
    </Modal>
  );
}

function Purge({ name, path, onClose }: { name: string; path: string; onClose: () => void }) {
  return (
    <Confirm title={`Delete “${name}” for good?`} action="Delete for good" work={() => call("storage", path, { method: "DELETE" })} onClose={onClose}>
      The configuration, its rows and its versions cannot be restored. Its tables stay.
    </Confirm>
  );
}
