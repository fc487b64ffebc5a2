// A configuration for an API, proposed by the extractor itself: it asks the API and proves what it found.
import { Badge, Button, Group, Stack, Table, Text, Textarea, TextInput } from "@mantine/core";
import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { ApiError, call } from "../../shared/api/client";
import { useChange } from "../../shared/api/hooks";
import type { Configuration } from "../../shared/api/types";
import { Editor } from "../../shared/Editor";
import { count } from "../../shared/format";
import { Grid } from "../../shared/Grid";
import { configPath, Empty, Failure, Page, Section, usePlace, Waiting } from "../../shared/parts";

const COMPONENT = "ex-generic-v2";

interface Proposal {
  configuration: unknown;
  findings: { subject: string; choice: string; evidence: string; isProven: boolean }[];
  tables: { name: string; columns: string[]; rows: string[][]; count: number }[];
  requests: number;
}

export function Extract() {
  const [source, setSource] = useState("");
  const discover = useMutation({ mutationFn: () => propose(source.trim()) });
  function start(event: FormEvent): void {
    event.preventDefault();
    discover.mutate();
  }
  return (
    <Page title="Extract an API">
      <Section title="Which data">
        <form onSubmit={start}>
          <Stack>
            <Textarea label="Address or curl command" description="The address of a list of records, or a curl command with what the API needs to be asked." placeholder="https://api.example.com/customers" value={source} onChange={(event) => setSource(event.currentTarget.value)} autosize minRows={1} maxRows={8} required />
            <Group><Button type="submit" loading={discover.isPending}>Propose a configuration</Button></Group>
          </Stack>
        </form>
      </Section>
      {discover.isPending && <Section title="Asking the API"><Text size="sm" role="status">It is asked at most twenty times, to find its records and pages.</Text><Waiting /></Section>}
      {discover.error && <Failure error={discover.error} />}
      {discover.data && <Proposed key={discover.submittedAt} proposal={discover.data} />}
      {discover.isIdle && <Empty title="Nothing is stored until you save it">The extractor finds the records, the pagination and the types of an API, and shows what it has proven.</Empty>}
    </Page>
  );
}

/** An action that fails answers 200, with its reason. */
async function propose(source: string): Promise<Proposal> {
  const parameters = /^curl\s/.test(source) ? { __CURL_COMMAND: source } : { __URL: source };
  const body = { componentId: COMPONENT, action: "discover", configData: { parameters } };
  const found = await call<Proposal | { status: string; traceback: string[] }>("sync-actions", "/actions", { method: "POST", body });
  if ("findings" in found) return found;
  throw new ApiError(found.traceback.join(" "), 400);
}

function Proposed({ proposal }: { proposal: Proposal }) {
  return (
    <>
      <Section title="What was found" actions={<Text size="xs" c="dimmed">{proposal.requests} requests</Text>}>
        <div className="list">
          <Table>
            <Table.Thead><Table.Tr><Table.Th>About</Table.Th><Table.Th>Found</Table.Th><Table.Th>Because</Table.Th><Table.Th /></Table.Tr></Table.Thead>
            <Table.Tbody>
              {proposal.findings.map((each) => (
                <Table.Tr key={`${each.subject} ${each.choice}`}>
                  <Table.Td>{each.subject}</Table.Td>
                  <Table.Td className="wrap">{each.choice}</Table.Td>
                  <Table.Td className="wrap">{each.evidence}</Table.Td>
                  <Table.Td><Badge className="status" tt="none" variant="light" color={each.isProven ? "teal" : "yellow"}>{each.isProven ? "proven" : "not proven"}</Badge></Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      </Section>
      {proposal.tables.map((table) => (
        <Section key={table.name} title={`Table ${table.name}`} actions={<Text size="xs" c="dimmed">{count(table.count)} rows</Text>}>
          <Grid columns={table.columns} rows={table.rows} label={`First rows of ${table.name}`} height={260} />
        </Section>
      ))}
      <Save proposal={proposal} />
    </>
  );
}

function Save({ proposal }: { proposal: Proposal }) {
  const place = usePlace();
  const navigate = useNavigate();
  const [text, setText] = useState(() => JSON.stringify(proposal.configuration, null, 2));
  const [name, setName] = useState(proposal.tables[0]?.name ?? "");
  const save = useChange(
    async () => call<Configuration>("storage", `/components/${COMPONENT}/configs`, { method: "POST", body: { name, configuration: JSON.parse(text) as unknown } }),
    (made) => void navigate({ to: place(configPath(COMPONENT, made.id)) as "/" }),
  );
  return (
    <Section title="Configuration">
      <form onSubmit={(event) => { event.preventDefault(); save.mutate(undefined); }}>
        <Stack>
          <Editor value={text} onChange={setText} language="json" label="Proposed configuration" />
          <Group align="flex-end">
            <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} required />
            <Button type="submit" loading={save.isPending}>Save configuration</Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
