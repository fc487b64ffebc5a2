import { Button, NavLink, ScrollArea, Select, Stack, TextInput } from "@mantine/core";
import { notifications } from "@mantine/notifications";
import { useEffect, useMemo, useRef, useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { useChange, useTables } from "../../shared/api/hooks";
import type { QueryJob, Table } from "../../shared/api/types";
import { Editor } from "../../shared/Editor";
import { Empty, Loaded, Page, Section } from "../../shared/parts";
import { useAddress } from "../../shared/useAddress";
import { History } from "./History";
import { Results } from "./Results";
import { COMPONENTS, SaveTransformation } from "./SaveTransformation";
import { quoted, splitStatements } from "./statements";
import { useWorkspace } from "./workspace";

const KEPT = "penstock.sql";
const DIALECTS = [{ value: "duckdb", label: "DuckDB SQL" }, { value: "snowflake", label: "Snowflake SQL" }];

export function Sql() {
  const tables = useTables("columns");
  const workspace = useWorkspace();
  const [text, setText] = useState(() => sessionStorage.getItem(KEPT) ?? "");
  const [selected, setSelected] = useState("");
  const [dialect, setDialect] = useState("duckdb");
  const [jobId, setJobId] = useState<string | null>(null);
  const [open, setOpen] = useState<"history" | "save" | null>(null);
  const session = useRef<string | null>(null);
  const names = useMemo(() => Object.fromEntries((tables.data ?? []).map((table) => [table.id, table.columns ?? []])), [tables.data]);
  const [asked, setAsked] = useAddress("table");
  useEffect(() => {
    const table = tables.data?.find(({ id }) => id === asked);
    if (!table) return;
    if (text.trim()) notifications.show({ title: "The query that was here", message: "comes back with Ctrl-Z in the editor." });
    change(firstQuery(table));
    setAsked(null);
  }, [asked, tables.data]); // eslint-disable-line
  const submit = useChange(async () => {
    const { id, branch } = await workspace.get();
    const body = { statements: splitStatements(selected.trim() ? selected : text), dialect, sessionId: session.current };
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
        <Button variant="default" onClick={() => setOpen("history")}>History</Button>
        <Act needs={{ component: COMPONENTS[dialect] ?? "" }} variant="default" disabled={!text.trim()} onClick={() => setOpen("save")}>Save as transformation</Act>
        <Button onClick={run} loading={submit.isPending} disabled={!text.trim()}>{selected.trim() ? "Run the selection" : "Run"} (Ctrl-Enter)</Button>
      </>
    }>
      <div className="sql">
        <Section title="Tables">
          <Loaded of={tables}>{(all) => all.length ? <TableTree tables={all} onChoose={(table) => change(firstQuery(table))} /> : <Empty title="There are no tables">Run a configuration, or upload a CSV file, to query it here.</Empty>}</Loaded>
        </Section>
        <Stack miw={0}>
          <Editor value={text} onChange={change} language="sql" names={names} onRun={run} onSelect={setSelected} label="SQL" height="280px" />
          {jobId ? <Results key={jobId} jobId={jobId} /> : (
            <Empty title="Write a query and run it">
              A table is named by its bucket and its name, both in double quotes. Click a table on the left for a first query. Tables of Storage
              are read-only here; those that you create stay in your workspace.
            </Empty>
          )}
        </Stack>
      </div>
      {open === "history" && <History onChoose={(query) => { change(query); setOpen(null); }} onClose={() => setOpen(null)} />}
      {open === "save" && <SaveTransformation text={text} dialect={dialect} tables={tables.data ?? []} onClose={() => setOpen(null)} />}
    </Page>
  );
}

const firstQuery = (table: Table): string => `SELECT * FROM ${quoted(table)} LIMIT 100`;

function TableTree({ tables, onChoose }: { tables: Table[]; onChoose: (table: Table) => void }) {
  const [search, setSearch] = useState("");
  const shown = tables.filter((table) => table.id.toLowerCase().includes(search.trim().toLowerCase()));
  return (
    <>
      {tables.length > 8 && <TextInput aria-label="Find a table" placeholder="Find a table" size="xs" mb="xs" value={search} onChange={(event) => setSearch(event.currentTarget.value)} />}
      <ScrollArea.Autosize mah={560} viewportProps={{ tabIndex: 0, "aria-label": "Tables" }}>
        {shown.map((table) => (
          <NavLink key={table.id} component="button" label={table.displayName} description={table.id.slice(0, table.id.lastIndexOf("."))} onClick={() => onChoose(table)} style={{ borderRadius: 8 }} />
        ))}
      </ScrollArea.Autosize>
    </>
  );
}
