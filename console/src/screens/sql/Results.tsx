import { Alert, Button, Group, SegmentedControl, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useChange } from "../../shared/api/hooks";
import { downloadFrom } from "../../shared/api/transfers";
import type { QueryJob } from "../../shared/api/types";
import { count } from "../../shared/format";
import { Grid } from "../../shared/Grid";
import { Loaded, Status } from "../../shared/parts";
import { ResultChart } from "./ResultChart";

const PAGE = 10_000;
const ENDED = ["completed", "failed", "canceled"];
type Statement = QueryJob["Statement"];

export function Results({ jobId }: { jobId: string }) {
  const job = useQuery({
    queryKey: ["query", jobId],
    queryFn: () => call<QueryJob["Job"]>("query", `/api/v1/queries/${enc(jobId)}`),
    refetchInterval: ({ state }) => (state.data && ENDED.includes(state.data.status) ? false : 300),
  });
  const cancel = useChange(() => call("query", `/api/v1/queries/${enc(jobId)}/cancel`, { method: "POST", body: { reason: "Canceled in the console" } }));
  return (
    <Loaded of={job}>
      {(found) => (
        <Stack>
          {!ENDED.includes(found.status) && <Group role="status"><Status of={found.status} /><Button size="xs" variant="default" loading={cancel.isPending} onClick={() => cancel.mutate(undefined)}>Cancel</Button></Group>}
          {found.status === "canceled" && <Text size="sm" role="status">The query was canceled.</Text>}
          {found.statements.map((statement, at) => <StatementResult key={statement.id} jobId={jobId} statement={statement} title={found.statements.length > 1 ? `Statement ${at + 1}` : "Result"} />)}
        </Stack>
      )}
    </Loaded>
  );
}

function StatementResult({ jobId, statement, title }: { jobId: string; statement: Statement; title: string }) {
  if (statement.status === "failed")
    return (
      <Alert color="red" variant="light" role="alert" title={`${title}: failed${statement.errorPosition ? ` at line ${statement.errorPosition.line}` : ""}`}>
        <Text size="sm" className="mono wrap" c="var(--mantine-color-text)" style={{ whiteSpace: "pre-wrap" }}>{statement.error}</Text>
      </Alert>
    );
  if (statement.status !== "completed") return <Text size="sm">{title}: {statement.status === "notExecuted" ? "not run, since an earlier statement failed" : statement.status}</Text>;
  return <RowsOf jobId={jobId} statement={statement} title={title} />;
}

function RowsOf({ jobId, statement, title }: { jobId: string; statement: Statement; title: string }) {
  const path = `/api/v1/queries/${enc(jobId)}/${enc(statement.id)}`;
  const [view, setView] = useState("rows");
  const results = useQuery({
    queryKey: ["query", jobId, statement.id],
    queryFn: () => call<QueryJob["Results"]>("query", `${path}/results`, { query: { offset: 0, pageSize: PAGE } }),
  });
  const download = useChange((type: string) => downloadFrom("query", `${path}/export?fileType=${type}`, `result-${statement.id}.${type}`));
  return (
    <Loaded of={results}>
      {(found) => found.columns.length === 0 ? <Text size="sm">{title}: done, {count(found.rowsAffected)} rows affected.</Text> : (
        <div>
          <Group justify="space-between" mb={6}>
            <Text size="sm" role="status">{title}: {found.numberOfRows > PAGE ? `the first ${count(PAGE)} of ${count(found.numberOfRows)} rows` : `${count(found.numberOfRows)} rows`}</Text>
            <Group gap="xs">
              <SegmentedControl size="xs" value={view} onChange={setView} data={[{ value: "rows", label: "Rows" }, { value: "chart", label: "Chart" }]} />
              {Object.entries({ csv: "CSV", parquet: "Parquet" }).map(([type, label]) => (
                <Button key={type} size="xs" variant="default" loading={download.isPending && download.variables === type} onClick={() => download.mutate(type)} aria-label={`Download ${title} as ${label}`}>{label}</Button>
              ))}
            </Group>
          </Group>
          {view === "rows" ? <Grid columns={found.columns.map((column) => column.name)} rows={found.data} label={title} /> : <ResultChart columns={found.columns.map((column) => column.name)} rows={found.data} title={title} />}
        </div>
      )}
    </Loaded>
  );
}
