import { Button, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { enc, useChange } from "../../shared/api/hooks";
import { Empty, Loaded, When } from "../../shared/parts";
import { type AppVersion, ask, useLogin } from "./developer";
import { DeveloperSignIn } from "./DeveloperSignIn";

/** The versions of a published component, for accounts of its vendor. */
export function AppVersions({ id }: { id: string }) {
  const login = useLogin();
  const vendor = id.split(".")[0] ?? "";
  const path = `/vendors/${enc(vendor)}/apps/${enc(id)}/versions`;
  const versions = useQuery({ queryKey: ["developer", path, login], queryFn: () => ask<AppVersion[]>(path), enabled: Boolean(login), retry: false });
  const rollBack = useChange((version: number) => ask(`${path}/${version}/rollback`, "POST", {}));
  if (!id.includes(".")) return <Empty title="It ships with the stack">Its version is that of the stack.</Empty>;
  if (!login) return <DeveloperSignIn onSignedIn={() => undefined} />;
  return (
    <Loaded of={versions}>
      {(found) => (
        <div className="list">
          <Table>
            <Table.Thead><Table.Tr><Table.Th>Version</Table.Th><Table.Th>Tag</Table.Th><Table.Th>Created</Table.Th><Table.Th /></Table.Tr></Table.Thead>
            <Table.Tbody>
              {found.map((each) => (
                <Table.Tr key={each.version}>
                  <Table.Td>{each.version}</Table.Td>
                  <Table.Td className="mono">{each.tag}</Table.Td>
                  <Table.Td><When at={each.createdOn} /></Table.Td>
                  <Table.Td>{each.isCurrent ? <Text size="xs" c="dimmed">current</Text> : <Button size="compact-xs" variant="default" aria-label={`Roll back to version ${each.version}`} loading={rollBack.isPending} onClick={() => rollBack.mutate(each.version)}>Roll back</Button>}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
    </Loaded>
  );
}
