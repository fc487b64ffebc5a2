// The frame of the portal: services and their operations on the left, what is chosen on the right.
import { Alert, AppShell, Burger, Group, Loader, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useEffect } from "react";
import { ColorSwitch } from "../shared/ColorSwitch";
import { useSelection } from "./address";
import { listOperations, useDocuments } from "./documents";
import { Navigation } from "./Navigation";
import { OperationView } from "./OperationView";
import { ServiceView } from "./ServiceView";

export function Portal() {
  const [selection, go] = useSelection();
  const { entries, stack, documents, problem } = useDocuments(selection.service || "storage");
  const [isOpen, { toggle, close }] = useDisclosure();
  const entry = entries.find((each) => each.id === (selection.service || "storage"));
  const document_ = entry && documents[entry.id];
  const found = document_ && selection.operation ? listOperations(entry.id, document_).find((each) => each.id === selection.operation) : undefined;
  useTitle(found?.operation.summary ?? entry?.name ?? "APIs");
  return (
    <AppShell header={{ height: 56 }} navbar={{ width: 340, breakpoint: "sm", collapsed: { mobile: !isOpen } }} padding="lg">
      <AppShell.Header>
        <Group h="100%" px="md" justify="space-between" wrap="nowrap">
          <Group gap="sm" wrap="nowrap" miw={0}>
            <Burger opened={isOpen} onClick={toggle} hiddenFrom="sm" size="sm" aria-label="Operations" />
            <Text fw={700} className="cut">APIs of {stack || "this stack"}</Text>
          </Group>
          <ColorSwitch />
        </Group>
      </AppShell.Header>
      <AppShell.Navbar p="xs" aria-label="Operations">
        <Navigation entries={entries} documents={documents} current={entry?.id ?? ""} operation={selection.operation} onGo={(to) => { go(to); close(); }} />
      </AppShell.Navbar>
      <AppShell.Main>
        {problem && <Alert color="red" role="alert" title={problem}>Reload the page to try again.</Alert>}
        {!problem && !document_ && <Missing isKnown={!entries.length || entry !== undefined} service={selection.service} />}
        {entry && document_ && !found && <ServiceView entry={entry} document={document_} missing={selection.operation} onGo={go} />}
        {entry && document_ && found && <OperationView key={`${entry.id} ${found.id}`} entry={entry} document={document_} found={found} storage={entries.find((each) => each.id === "storage")} onGo={go} />}
      </AppShell.Main>
    </AppShell>
  );
}

function Missing({ isKnown, service }: { isKnown: boolean; service: string }) {
  if (isKnown) return <Loader size="sm" role="status" aria-label="Loading" />;
  return <Alert color="orange" title={`This stack has no service "${service}".`}>Choose one of those on the left.</Alert>;
}

function useTitle(title: string): void {
  useEffect(() => { document.title = `${title} · Penstock`; }, [title]);
}
