// From an API to a configuration: proposed by the extractor itself, edited beside what each edit does, saved and run.
import { Button, Group, Table, Text } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { useConfiguration, useProject } from "../../shared/api/hooks";
import { askToLeave, type Draft } from "../../shared/drafts";
import { useDraft } from "../../shared/useDraft";
import { Empty, Failure, Loaded, Page, Section, Waiting } from "../../shared/parts";
import { Needs } from "../../shared/rights";
import { COMPONENT, type Document, type Endpoint, propose, type Source as Given } from "./actions";
import { Builder, NEW } from "./Builder";
import { Source } from "./Source";

export function Extract() {
  const { config } = useParams({ strict: false });
  return <Needs of={{ component: COMPONENT }}>{config === undefined ? <New /> : <Existing key={config} config={config} />}</Needs>;
}

function New() {
  const { data: project } = useProject();
  const [source, setSource] = useState<Given | null>(null);
  const ask = useMutation({ mutationFn: (given: Given) => propose(given, String(project?.owner?.id ?? "")) });
  const { draft, discard } = useDraft({ key: NEW, title: "", saved: "", version: 0 });
  function start(given: Given): void {
    discard();
    setSource(given);
    ask.mutate(given);
  }
  async function startAgain(): Promise<void> {
    if (await askToLeave(draft ? [draft] : [])) ask.reset();
  }
  if (draft && ask.isIdle) return <Restored draft={draft} onDiscard={() => void startAgain()} />;
  return (
    <Page title="Extract an API" actions={ask.data && <Button variant="default" onClick={() => void startAgain()}>Start again</Button>}>
      {!ask.data && <Section title="Which data"><Source isPending={ask.isPending} onPropose={start} /></Section>}
      {ask.isPending && <Section title="Asking the API"><Text size="sm" role="status">It is asked at most twenty times, and only for reading, to find its records and pages.</Text><Waiting /></Section>}
      {ask.error && <Failure error={ask.error} />}
      {ask.data && "endpoints" in ask.data && source && <Endpoints of={ask.data.endpoints} onChoose={(endpoint) => start({ ...source, endpoint })} />}
      {ask.data && "findings" in ask.data && <Builder key={ask.submittedAt} start={ask.data.configuration} name={ask.data.tables[0]?.name ?? ""} findings={ask.data.findings} />}
      {ask.isIdle && <Empty title="Nothing is stored until you save it">The extractor finds the records, the pagination and the key of an API, and shows what it has proven. Or <b>start from nothing</b> with a new configuration of the component Generic.</Empty>}
    </Page>
  );
}

/** What was proposed or edited before the page was loaded again. */
function Restored({ draft, onDiscard }: { draft: Draft; onDiscard: () => void }) {
  return (
    <Page title="Extract an API" actions={<Button variant="default" onClick={onDiscard}>Start again</Button>}>
      <Builder start={toDocument(draft.text)} name={draft.name ?? ""} />
    </Page>
  );
}

function toDocument(text: string): Document {
  try {
    return JSON.parse(text) as Document;
  } catch {
    return {};
  }
}

function Existing({ config }: { config: string }) {
  const found = useConfiguration(COMPONENT, config);
  return (
    <Page title={found.data ? `Build “${found.data.name}”` : config}>
      <Loaded of={found}>{(known) => <Builder start={(known.configuration ?? {}) as Document} name={known.name} stored={known} />}</Loaded>
    </Page>
  );
}

function Endpoints({ of, onChoose }: { of: Endpoint[]; onChoose: (endpoint: string) => void }) {
  return (
    <Section title={`${of.length} endpoints return lists`}>
      <Text size="sm" mb="sm">Choose the one to begin with.</Text>
      <div className="list">
        <Table highlightOnHover>
          <Table.Thead><Table.Tr><Table.Th>Endpoint</Table.Th><Table.Th>About</Table.Th><Table.Th /></Table.Tr></Table.Thead>
          <Table.Tbody>
            {of.map((each) => (
              <Table.Tr key={each.endpoint}>
                <Table.Td className="mono wrap">{each.endpoint}</Table.Td>
                <Table.Td className="wrap">{each.note}</Table.Td>
                <Table.Td><Group justify="flex-end"><Button size="compact-sm" variant="default" aria-label={`Choose ${each.endpoint}`} onClick={() => onChoose(each.endpoint)}>Choose</Button></Group></Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </div>
    </Section>
  );
}
