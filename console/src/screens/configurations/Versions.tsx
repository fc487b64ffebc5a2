import { Button, Group, Modal, Table, Text } from "@mantine/core";
import { lazy, Suspense, useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { useApi, useChange } from "../../shared/api/hooks";
import type { Configuration, Version } from "../../shared/api/types";
import { Loaded, Waiting, When } from "../../shared/parts";

const Diff = lazy(() => import("../../shared/Diff"));

export function Versions({ path, current }: { path: string; current: Configuration }) {
  const versions = useApi<Version[]>("storage", `${path}/versions`, { limit: 100 });
  const [compared, setCompared] = useState<number | null>(null);
  const rollBack = useChange((version: number) => call("storage", `${path}/versions/${version}/rollback`, { method: "POST", body: {} }));
  return (
    <Loaded of={versions}>
      {(found) => (
        <div className="list">
          <Table>
            <Table.Thead><Table.Tr><Table.Th>Version</Table.Th><Table.Th>Change</Table.Th><Table.Th>When</Table.Th><Table.Th>By</Table.Th><Table.Th /></Table.Tr></Table.Thead>
            <Table.Tbody>
              {found.map((each) => (
                <Table.Tr key={each.version}>
                  <Table.Td>{each.version}</Table.Td>
                  <Table.Td className="wrap">{each.changeDescription}</Table.Td>
                  <Table.Td><When at={each.created} /></Table.Td>
                  <Table.Td>{each.creatorToken.description}</Table.Td>
                  <Table.Td>
                    {each.version === current.version ? <Text size="xs" c="dimmed">current</Text> : (
                      <Group gap="xs" wrap="nowrap" justify="flex-end">
                        <Button size="compact-xs" variant="default" onClick={() => setCompared(each.version)}>Compare</Button>
                        <Act size="compact-xs" variant="default" loading={rollBack.isPending} onClick={() => rollBack.mutate(each.version)}>Roll back</Act>
                      </Group>
                    )}
                  </Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
          {compared !== null && <Comparison path={path} version={compared} current={current} onClose={() => setCompared(null)} />}
        </div>
      )}
    </Loaded>
  );
}

function Comparison({ path, version, current, onClose }: { path: string; version: number; current: Configuration; onClose: () => void }) {
  const old = useApi<Version>("storage", `${path}/versions/${version}`);
  return (
    <Modal opened onClose={onClose} size="80%" title={`Version ${version} and the current version ${current.version}`} closeButtonProps={{ "aria-label": "Close" }}>
      <Loaded of={old}>
        {(found) => <Suspense fallback={<Waiting />}><Diff before={toText(found)} after={toText(current)} /></Suspense>}
      </Loaded>
    </Modal>
  );
}

const toText = ({ configuration, rows }: { configuration?: unknown; rows?: { name: string; configuration?: unknown }[] }): string =>
  JSON.stringify({ configuration, rows: (rows ?? []).map((row) => ({ name: row.name, configuration: row.configuration })) }, null, 2);
