// One operation: what it does, the right that it needs, what it takes and returns, an example, its errors.
import { Alert, Group, SegmentedControl, Stack, Text, Title } from "@mantine/core";
import { type Selection } from "./address";
import { findTwin, listOperations, responseOf, type Document, type Entry, type Found, type Parameter } from "./documents";
import { exampleOf } from "./example";
import { Go } from "./Navigation";
import { Code, Copy, Method, pretty, Section, Words } from "./parts";
import { SchemaView, typeOf } from "./SchemaView";
import { LANGUAGES, type Language, toSnippet } from "./snippets";
import { makeStore } from "../shared/store";
import { TryIt } from "./TryIt";

interface Props { entry: Entry; document: Document; found: Found }

/** Which one is shown, for all operations. */
const language = makeStore<Language>("curl");

export function OperationView({ entry, document, found, storage, onGo }: Props & { storage: Entry | undefined; onGo: (to: Selection) => void }) {
  const { operation } = found;
  const twin = findTwin(listOperations(entry.id, document), found);
  const rest = operation.description.split("\n\n").slice(0, -1).join("\n\n");
  return (
    <Stack gap="md">
      <div>
        <Title order={1} fz={24} className="wrap"><Words of={operation.summary} /></Title>
        <Group gap="xs" mt={6} wrap="nowrap" align="flex-start"><Method of={found.method} /><Text className="mono wrap">{found.path}</Text></Group>
        {rest && <Text mt="sm"><Words of={rest} /></Text>}
        {twin && (
          <Text mt="sm" size="sm" className="portal-twin wrap">
            {operation["x-twin"] ? "Without a branch" : "Within a branch"}: <Go to={{ service: entry.id, operation: twin.id }} onGo={onGo}><span className="mono">{twin.path}</span></Go>
          </Text>
        )}
        <Text mt="sm" size="sm" data-testid="right"><b>Needs</b> <Words of={operation["x-right"].needs} />.</Text>
      </div>
      <div className="portal-columns">
        <Stack gap="md" miw={0}>
          {operation.parameters.length > 0 && <Parameters of={operation.parameters} document={document} />}
          {Object.entries(operation.requestBody?.content ?? {}).map(([kind, content]) => (
            <Section key={kind} title={`Body: ${kind}`}>{content.schema && <SchemaView schema={content.schema} document={document} />}</Section>
          ))}
          <Responses document={document} found={found} />
        </Stack>
        <Stack gap="md" miw={0}>
          <Example entry={entry} document={document} found={found} storageUrl={storage?.apiUrl ?? ""} />
          <TryIt entry={entry} storage={storage} document={document} found={found} />
        </Stack>
      </div>
    </Stack>
  );
}

function Parameters({ of, document }: { of: Parameter[]; document: Document }) {
  return (
    <Section title="Parameters">
      <ul className="portal-fields">
        {of.map((each) => (
          <li key={`${each.in} ${each.name}`}>
            <span className="mono">{each.name}</span> <Text span size="xs" c="dimmed">in the {each.in}, {typeOf(each.schema, document)}{each.required ? ", required" : ""}</Text>
            {each.description && <Text size="xs" c="dimmed"><Words of={each.description} /></Text>}
          </li>
        ))}
      </ul>
    </Section>
  );
}

function Responses({ document, found }: { document: Document; found: Found }) {
  const all = Object.entries(found.operation.responses).map(([status, each]) => [status, responseOf(document, each)] as const);
  const good = all.filter(([status]) => status.startsWith("2") || status.startsWith("3"));
  const bad = all.filter(([status]) => /^[45]/.test(status));
  return (
    <>
      {good.map(([status, response]) => (
        <Section key={status} title={`Response ${status}`}>
          {Object.entries(response.content ?? {}).map(([kind, content]) => content.schema && <SchemaView key={kind} schema={content.schema} document={document} />)}
          {!response.content && <Text size="sm">{response.description} There is no body.</Text>}
        </Section>
      ))}
      <Section title="Errors">
        <dl className="portal-errors">
          {bad.map(([status, response]) => <div key={status}><dt className="mono">{status}</dt><dd><Words of={response.description} /></dd></div>)}
        </dl>
      </Section>
    </>
  );
}

function Example({ entry, document, found, storageUrl }: Props & { storageUrl: string }) {
  const chosen = language.use();
  const example = exampleOf(document, found);
  if (!example) return null;
  const code = toSnippet(chosen, { entry, document, found, example, storageUrl });
  return (
    <Section title="Example" actions={<Copy key={code} text={code} />}>
      {example.status >= 400 && <Alert color="orange" mb="sm">This stack refuses this request from every caller, so the example is an error. The description and the response say why.</Alert>}
      <Text size="xs" c="dimmed" mb={6}>Sent to a stack by the tests; ids, times and secrets are replaced.</Text>
      <SegmentedControl size="xs" mb={6} aria-label="Language of the example" data={[...LANGUAGES]} value={chosen} onChange={(value) => language.set(value as Language)} />
      <Code text={code} label="Request of the example" />
      <Text size="sm" mt="sm" mb={4}>Response <b>{example.status}</b></Text>
      {example.response !== undefined ? <Code text={pretty(example.response)} label="Response of the example" /> : <Text size="sm" c="dimmed">No body</Text>}
    </Section>
  );
}
