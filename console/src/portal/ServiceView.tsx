// A service: its address, and a table of its operations.
import { Alert, Anchor, Stack, Table, Text, Title } from "@mantine/core";
import { type Selection } from "./address";
import { Fragment } from "react";
import { type Document, type Entry, groupOperations, listOperations } from "./documents";
import { Go } from "./Navigation";
import { Method, Words } from "./parts";

export function ServiceView({ entry, document, missing, onGo }: { entry: Entry; document: Document; missing: string; onGo: (to: Selection) => void }) {
  const groups = groupOperations(listOperations(entry.id, document));
  const count = groups.reduce((sum, [, found]) => sum + found.length, 0);
  return (
    <Stack gap="md">
      <Title order={1} fz={24}>{entry.name}</Title>
      {missing && <Alert color="orange" title={`${entry.name} has no operation "${missing}".`}>Its operations are below.</Alert>}
      <Text size="sm" className="wrap">
        {count} operations at <span className="mono">{entry.apiUrl}</span>. Programs read <Anchor href={entry.openApiSpecUrl} size="sm">the OpenAPI document</Anchor>.
      </Text>
      <div className="list" tabIndex={0} role="region" aria-label="Operations of the service">
        <Table verticalSpacing={6}>
          <Table.Thead><Table.Tr><Table.Th>Operation</Table.Th><Table.Th visibleFrom="sm">Does</Table.Th><Table.Th visibleFrom="md">Needs</Table.Th></Table.Tr></Table.Thead>
          <Table.Tbody>
            {groups.map(([resource, found]) => (
              <Fragment key={resource}>
                <Table.Tr><Table.Th colSpan={3} scope="rowgroup">{resource}</Table.Th></Table.Tr>
                {found.map((each) => (
                  <Table.Tr key={each.id}>
                    <Table.Td>
                      <div className="portal-row">
                        <Method of={each.method} />
                        <div>
                          <Go to={{ service: entry.id, operation: each.id }} onGo={onGo}><span className="mono wrap">{each.path}</span></Go>
                          <Text size="sm" hiddenFrom="sm"><Words of={each.operation.summary} /></Text>
                        </div>
                      </div>
                    </Table.Td>
                    <Table.Td visibleFrom="sm"><Words of={each.operation.summary} /></Table.Td>
                    <Table.Td visibleFrom="md"><Words of={each.operation["x-right"].needs} /></Table.Td>
                  </Table.Tr>
                ))}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Stack>
  );
}
