import { Badge, Card, Group, SimpleGrid, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { enc, useCatalogue } from "../../shared/api/hooks";
import type { Component } from "../../shared/api/types";
import { Empty, Go, Loaded, Page } from "../../shared/parts";
import { AddComponent } from "./AddComponent";

export function Components() {
  const catalogue = useCatalogue();
  const [search, setSearch] = useState("");
  const [isAdding, setAdding] = useState(false);
  return (
    <Page title="Components" actions={<Act variant="default" onClick={() => setAdding(true)}>Add a component</Act>}>
      <TextInput aria-label="Search components" placeholder="Search by name or purpose" value={search} onChange={(event) => setSearch(event.currentTarget.value)} maw={360} />
      <Loaded of={catalogue}>
        {(all) => {
          const found = all.filter((each) => `${each.id} ${each.name} ${each.description}`.toLowerCase().includes(search.trim().toLowerCase())).sort((a, b) => Number(b.hasRun) - Number(a.hasRun));
          return found.length ? <SimpleGrid cols={{ base: 1, sm: 2, lg: 3 }}>{found.map((each) => <OneComponent key={each.id} component={each} />)}</SimpleGrid> : <Empty title="No component has this name">Add one of your own with <b>Add a component</b>.</Empty>;
        }}
      </Loaded>
      {isAdding && <AddComponent onClose={() => setAdding(false)} />}
    </Page>
  );
}

function OneComponent({ component }: { component: Component }) {
  return (
    <Card withBorder padding="md">
      <Group justify="space-between" align="flex-start" wrap="nowrap">
        <Go to={`components/${enc(component.id)}`} fw={600}>{component.name}</Go>
        <Badge variant="default" tt="none">{component.type}</Badge>
      </Group>
      <Text size="xs" c="dimmed" className="mono wrap">{component.id}</Text>
      <Text size="sm" mt="xs" lineClamp={3}>{component.description}</Text>
      {!component.hasRun && <Text size="xs" c="dimmed" mt="xs">Holds configurations; does not run by itself.</Text>}
    </Card>
  );
}
