import { Table, Text } from "@mantine/core";
import { Act } from "../../shared/Act";
import { ApiError, call } from "../../shared/api/client";
import { enc, useApi, useChange } from "../../shared/api/hooks";
import { useSession } from "../../shared/api/session";
import type { AppVersion } from "../../shared/api/types";
import { Empty, Loaded, When } from "../../shared/parts";
import { NeedsPerson } from "./AddComponent";

/** The versions of a published component, for people of its vendor. */
export function AppVersions({ id }: { id: string }) {
  const isPerson = useSession() === "person";
  if (!id.includes(".")) return <Empty title="It ships with the stack">Its version is that of the stack.</Empty>;
  return isPerson ? <List id={id} /> : <NeedsPerson />;
}

function List({ id }: { id: string }) {
  const path = `/vendors/${enc(id.split(".")[0] ?? "")}/apps/${enc(id)}/versions`;
  const versions = useApi<AppVersion[]>("developer", path);
  const rollBack = useChange((version: number) => call("developer", `${path}/${version}/rollback`, { method: "POST", body: {} }));
  if (versions.error instanceof ApiError && [403, 404].includes(versions.error.status)) return <Empty title="Its versions are shown to people of its vendor">{versions.error.message}</Empty>;
  return (
    <Loaded of={versions}>
      {(found) => (
        <div className="list">
          <Table>
            <Table.Thead><Table.Tr><Table.Th>Version</Table.Th><Table.Th>Tag</Table.Th><Table.Th>Created</Table.Th><Table.Th>Approval</Table.Th><Table.Th /></Table.Tr></Table.Thead>
            <Table.Tbody>{found.map((each) => <One key={each.version} version={each} isBusy={rollBack.isPending} onRollBack={() => rollBack.mutate(each.version)} />)}</Table.Tbody>
          </Table>
        </div>
      )}
    </Loaded>
  );
}

function One({ version: { version, tag, createdOn, isCurrent, isApproved }, isBusy, onRollBack }: { version: AppVersion; isBusy: boolean; onRollBack: () => void }) {
  return (
    <Table.Tr>
      <Table.Td>{version}</Table.Td>
      <Table.Td className="mono">{tag}</Table.Td>
      <Table.Td><When at={createdOn} /></Table.Td>
      <Table.Td>{isApproved ? "approved" : <Text size="sm" c="dimmed">not approved</Text>}</Table.Td>
      <Table.Td>
        {isCurrent ? <Text size="xs" c="dimmed">current</Text> : <Act size="compact-xs" variant="default" aria-label={`Roll back to version ${version}`} loading={isBusy} onClick={onRollBack}>Roll back</Act>}
      </Table.Td>
    </Table.Tr>
  );
}
