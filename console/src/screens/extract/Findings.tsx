import { Badge, Table } from "@mantine/core";
import type { Finding } from "./actions";

export function Findings({ findings }: { findings: Finding[] }) {
  return (
    <div className="list findings">
      <Table>
        <Table.Thead><Table.Tr><Table.Th>About</Table.Th><Table.Th>Found</Table.Th><Table.Th>Because</Table.Th><Table.Th /></Table.Tr></Table.Thead>
        <Table.Tbody>
          {findings.map((each, at) => (
            <Table.Tr key={at}>
              <Table.Td>{each.subject}</Table.Td>
              <Table.Td className="wrap">{each.choice}</Table.Td>
              <Table.Td className="wrap">{each.evidence}</Table.Td>
              <Table.Td><Badge className="status" tt="none" variant="light" color={each.isProven ? "teal" : "yellow"}>{each.isProven ? "proven" : "not proven"}</Badge></Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}
