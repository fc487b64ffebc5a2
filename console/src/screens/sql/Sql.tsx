import { Alert, Button, Group, NavLink, ScrollArea, Select, SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useChange, useTables } from "../../shared/api/hooks";
import type { QueryJob, Table } from "../../shared/api/types";
import { count } from "../../shared/format";
import { Editor } from "../../shared/Editor";
import { Grid } from "../../shared/Grid";
import { Empty, Loaded, Page, Section, Status } from "../../shared/parts";
import { splitStatements } from "./statements";
import { useWorkspace } from "./workspace";

const PAGE = 10_000;
const KEPT = "penstock.sql";
const DIALECTS = [{ value: "duckdb", label: "DuckDB SQL" }, { value: "snowflake", label: "Snowflake SQL" }];

export function Sql() {
  const tables = useTables("columns");
  const workspace = useWorkspace();
  const [text, setText] = useState(() => sessionStorage.getItem(KEPT) ?? "");
  const [dialect, setDialect] = useState("duckdb");
  const [jobId, setJobId] = useState<string | null>(null);
  const session = useRef<string | null>(null);
  const names = useMemo(() => namesOf(tables.data ?? []), [tables.data]);
  const submit = useChange(async () => {
    const { id, branch } = await workspace.get();
    const body = { statements: splitStatements(text), dialect, sessionId: session.current };
    return call<QueryJob["Submitted"]>("query", `/api/v1/branches/${branch}/workspaces/${id}/queries`, { method: "POST", body });
  }, (submitted) => {
    session.current = submitted.sessionId;
    setJobId(submitted.queryJobId);
  });
  function change(value: string): void {
    setText(value);
    sessionStorage.setItem(KEPT, value);
  }
  const run = (): void => { if (text.trim() && !submit.isPending) submit.mutate(undefined); };
  return (
    <Page title="SQL" actions={
      <>
        <Select aria-label="Dialect" data={DIALECTS} value={dialect} onChange={(value) => setDialect(value ?? "duckdb")} allowDeselect={false} w={150} />
        <Button onClick={run} loading={submit.isPending} disabled={!text.trim()}>Run (Ctrl-Enter)</Button>
      </>
    }>
      <div className="sql">
        <Section title="Tables">
          <Loaded of={tables}>{(all) => all.length ? <TableTree tables={all} onChoose={(table) => change(`SELECT * FROM ${quoted(table)} LIMIT 100`)} /> : <Empty title="There are no tables">Run a configuration, or upload a CSV file, to query it here.</Empty>}</Loaded>
        </Section>
        <Stack miw={0}>
          <Editor value={text} onChange={change} language="sql" names={names} onRun={run} label="SQL" height="280px" />
          {jobId ? <Results key={jobId} jobId={jobId} /> : <Empty title="Write a query and run it">A table is named by its bucket and its name, both in double quotes. Click a table on the left for a first query. Tables of Storage are read-only here; those that you create stay in your workspace.</Empty>}
        </Stack>
      </div>
    </Page>
  );
}

const quoted = (table: Table): string => {
  const at = table.id.lastIndexOf(".");
  return `"${table.id.slice(0, at)}"."${table.id.slice(at + 1)}"`;
};

function namesOf(tables: Table[]): Record<string, string[]> {
  return Object.fromEntries(tables.map((table) => [quoted(table), (table.columns ?? []).map((column) => `"${column}"`)]));
}

function TableTree({ tables, onChoose }: { tables: Table[]; onChoose: (table: Table) => void }) {
  return (
    <ScrollArea.Autosize mah={560} viewportProps={{ tabIndex: 0, "aria-label": "Tables" }}>
      {tables.map((table) => (
        <NavLink key={table.id} component="button" label={table.displayName} description={table.id.slice(0, table.id.lastIndexOf("."))} onClick={() => onChoose(table)} style={{ borderRadius: 8 }} />
      ))}
    </ScrollArea.Autosize>
  );
}

function Results({ jobId }: { jobId: string }) {
  const job = useQuery({
    queryKey: ["query", jobId],
    queryFn: () => call<QueryJob["Job"]>("query", `/api/v1/queries/${enc(jobId)}`),
    refetchInterval: ({ state }) => (state.data && ["completed", "failed", "canceled"].includes(state.data.status) ? false : 300),
  });
  const cancel = useChange(() => call("query", `/api/v1/queries/${enc(jobId)}/cancel`, { method: "POST", body: { reason: "Canceled in the console" } }));
  return (
    <Loaded of={job}>
      {(found) => (
        <Stack>
          {found.status === "processing" || found.status === "enqueued" ? <Group role="status"><Status of={found.status} /><Button size="xs" variant="default" onClick={() => cancel.mutate(undefined)}>Cancel</Button></Group> : null}
          {found.statements.map((statement, at) => <StatementResult key={statement.id} jobId={jobId} statement={statement} title={found.statements.length > 1 ? `Statement ${at + 1}` : "Result"} />)}
        </Stack>
      )}
    </Loaded>
  );
}

function StatementResult({ jobId, statement, title }: { jobId: string; statement: QueryJob["Statement"]; title: string }) {
  if (statement.status === "failed")
    return (
      <Alert color="red" variant="light" role="alert" title={`${title}: failed${statement.errorPosition ? ` at line ${statement.errorPosition.line}` : ""}`}>
        <Text size="sm" className="mono wrap" c="var(--mantine-color-text)" style={{ whiteSpace: "pre-wrap" }}>{statement.error}</Text>
      </Alert>
    );
  if (statement.status !== "completed") return <SimpleGrid><Text size="sm">{title}: {statement.status === "notExecuted" ? "not run, since an earlier statement failed" : statement.status}</Text></SimpleGrid>;
  return <RowsOf jobId={jobId} statement={statement} title={title} />;
}

function RowsOf({ jobId, statement, title }: { jobId: string; statement: QueryJob["Statement"]; title: string }) {
  const results = useQuery({
    queryKey: ["query", jobId, statement.id],
    queryFn: () => call<QueryJob["Results"]>("query", `/api/v1/queries/${enc(jobId)}/${enc(statement.id)}/results`, { query: { offset: 0, pageSize: PAGE } }),
  });
  return (
    <Loaded of={results}>
      {(found) => found.columns.length === 0 ? <Text size="sm">{title}: done, {count(found.rowsAffected)} rows affected.</Text> : (
        <div>
          <Text size="sm" mb={6} role="status">{title}: {found.numberOfRows > PAGE ? `the first ${count(PAGE)} of ${count(found.numberOfRows)} rows` : `${count(found.numberOfRows)} rows`}</Text>
          <Grid columns={found.columns.map((column) => column.name)} rows={found.data} label={title} />
        </div>
      )}
    </Loaded>
  );
}
