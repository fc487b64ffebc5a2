import { Alert, Group, Text } from "@mantine/core";
import { count } from "../../shared/format";
import { Grid } from "../../shared/Grid";
import { Empty, Section } from "../../shared/parts";
import type { Trial } from "./actions";

/** The tables that a run makes of the two pages. */
export function TablesPane({ trial }: { trial: Trial | undefined }) {
  return (
    <Section title="Tables">
      <div className="pane">
        {trial?.problem && <Alert color="red" variant="light" role="alert" mb="xs" title={trial.problem} />}
        {trial?.warnings.map((each) => <Alert key={each} color="yellow" variant="light" mb="xs" title={each} />)}
        {trial?.tables.map((table) => (
          <div key={table.name} style={{ marginBottom: 12 }}>
            <Group justify="space-between" mb={4}>
              <Text size="sm" fw={500} className="wrap">{table.name}</Text>
              <Text size="xs" c="dimmed">{count(table.count)} rows{table.primaryKey.length ? `, key ${table.primaryKey.join(", ")}` : ""}</Text>
            </Group>
            <Grid columns={table.columns} rows={table.rows} label={`First rows of ${table.name}`} height={240} />
          </div>
        ))}
        {!trial?.tables.length && !trial?.problem && <Empty title="No tables yet">A run of two pages shows them here.</Empty>}
      </div>
    </Section>
  );
}
