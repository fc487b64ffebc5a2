import { Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, useChange, useConfigured } from "../../shared/api/hooks";
import type { Credential } from "../../shared/api/types";
import { Empty, Loaded, When } from "../../shared/parts";

interface Held {
  component: string;
  credential: Credential;
}

/** What was authorized at other services, by the components that use it. */
export function Authorizations() {
  const configured = useConfigured();
  const components = (configured.data ?? []).map((each) => each.id);
  const held = useQuery({ queryKey: ["oauth", components], queryFn: () => listAll(components), enabled: Boolean(configured.data) });
  return (
    <Loaded of={held}>
      {(found) => found.length === 0 ? <Empty title="Nothing is authorized">A component that signs in at another service by OAuth keeps its authorization here; the service OAuth of this stack makes it.</Empty> : (
        <div className="list">
          <Table>
            <Table.Thead><Table.Tr><Table.Th>Component</Table.Th><Table.Th>Authorized for</Table.Th><Table.Th>Id</Table.Th><Table.Th>Created</Table.Th><Table.Th>By</Table.Th><Table.Th /></Table.Tr></Table.Thead>
            <Table.Tbody>{found.map((each) => <One key={`${each.component} ${each.credential.id}`} held={each} />)}</Table.Tbody>
          </Table>
        </div>
      )}
    </Loaded>
  );
}

function One({ held: { component, credential } }: { held: Held }) {
  const remove = useChange(() => call("oauth", `/credentials/${enc(component)}/${enc(credential.id)}`, { method: "DELETE" }));
  return (
    <Table.Tr>
      <Table.Td>{component}</Table.Td>
      <Table.Td className="wrap">{credential.authorizedFor}</Table.Td>
      <Table.Td className="mono">{credential.id}</Table.Td>
      <Table.Td><When at={credential.created} /></Table.Td>
      <Table.Td>{credential.creator.description}</Table.Td>
      <Table.Td><Act needs={{ component }} size="compact-xs" variant="subtle" color="red" loading={remove.isPending} onClick={() => remove.mutate(undefined)}>Delete</Act></Table.Td>
    </Table.Tr>
  );
}

async function listAll(components: string[]): Promise<Held[]> {
  const lists = await Promise.all(components.map((component) => call<Credential[]>("oauth", `/credentials/${enc(component)}`).then((found) => found.map((credential) => ({ component, credential })))));
  return lists.flat();
}
