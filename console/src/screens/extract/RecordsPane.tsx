import { ActionIcon, Alert, Button, Checkbox, Code, Group, Table, Text, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { showError } from "../../shared/api/hooks";
import { count } from "../../shared/format";
import { Section } from "../../shared/parts";
import { type Document, inferMapping, type PageView } from "./actions";
import { changeColumn, columnsOf, dataFieldOf, type Keys, removeColumn, setMapping } from "./document";

interface Props {
  document: Document;
  job: Keys;
  jobId: string;
  onChange: (document: Document) => void;
  page: PageView | undefined;
}

/** Where the records are, and which of their values become which columns. */
export function RecordsPane({ document, job, jobId, onChange, page }: Props) {
  const columns = columnsOf(document, job);
  const field = dataFieldOf(document, job);
  const infer = useMutation({ mutationFn: () => inferMapping(document, jobId), onSuccess: (mapping) => onChange(setMapping(document, job, mapping)), onError: showError });
  return (
    <Section title="Records" actions={page && <Text size="xs" c="dimmed">{count(page.count)} on page 1</Text>}>
      <div className="pane">
        <Text size="sm" mb="xs">Read from <Code>{field === undefined ? "the only array" : field.length ? field.join(".") : "the whole response"}</Code></Text>
        {page?.problem && <Alert color="red" variant="light" role="alert" mb="xs" title={page.problem} />}
        {columns.length ? (
          <div className="list">
            <Table verticalSpacing={4} horizontalSpacing={6}>
              <Table.Thead><Table.Tr><Table.Th>Value and column</Table.Th><Table.Th>Key</Table.Th><Table.Th /></Table.Tr></Table.Thead>
              <Table.Tbody>
                {columns.map(({ key, name, isKey }) => (
                  <Table.Tr key={key}>
                    <Table.Td><Text size="xs" className="mono wrap" mb={2}>{key}</Text><TextInput size="xs" aria-label={`Column of ${key}`} value={name} onChange={(event) => onChange(changeColumn(document, job, key, { name: event.currentTarget.value }))} /></Table.Td>
                    <Table.Td><Checkbox size="xs" aria-label={`${key} is in the primary key`} checked={isKey} onChange={(event) => onChange(changeColumn(document, job, key, { isKey: event.currentTarget.checked }))} /></Table.Td>
                    <Table.Td><ActionIcon variant="subtle" color="gray" c="dimmed" size="sm" aria-label={`Remove the column ${name}`} onClick={() => onChange(removeColumn(document, job, key))}>×</ActionIcon></Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </div>
        ) : <Text size="sm" c="dimmed">Every value becomes a column, and every array in a record a table of its own. To choose and rename columns, click values in the response.</Text>}
        <Group mt="sm" gap="xs">
          <Button size="compact-sm" variant="default" loading={infer.isPending} onClick={() => infer.mutate()}>Map every value</Button>
          {columns.length > 0 && <Button size="compact-sm" variant="default" onClick={() => onChange(setMapping(document, job, undefined))}>Remove the mapping</Button>}
        </Group>
        {page && page.records.length > 0 && <Code block mt="sm" mah={220} style={{ overflow: "auto" }} tabIndex={0} aria-label="First record">{JSON.stringify(page.records[0], null, 2)}</Code>}
      </div>
    </Section>
  );
}
