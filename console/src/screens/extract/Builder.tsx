// A configuration beside what it does: request, response, records and tables. The JSON is the only state; every pane
// reads it and writes it.
import { Alert, Checkbox, Stack } from "@mantine/core";
import { useEffect, useMemo, useState } from "react";
import { enc, useApi } from "../../shared/api/hooks";
import type { Component } from "../../shared/api/types";
import { Editor } from "../../shared/Editor";
import { Empty, Failure, Section } from "../../shared/parts";
import { Locked } from "../../shared/rights";
import { findFullLoads } from "../../shared/fullLoads";
import type { Schema } from "../../shared/schema";
import { useDraft } from "../../shared/useDraft";
import { COMPONENT, type Document, type Finding } from "./actions";
import { Bar } from "./Bar";
import { applyFinding, isUsed, type Keys, listJobs } from "./document";
import { Findings } from "./Findings";
import { Panes } from "./Panes";
import { RecordsPane } from "./RecordsPane";
import { RequestPane } from "./RequestPane";
import { ResponsePane } from "./ResponsePane";
import { TablesPane } from "./TablesPane";
import { useTrial } from "./useTrial";

interface Props {
  start: Document;
  name: string;
  /** Of a proposal. */
  findings?: Finding[];
  /** Of a configuration that is stored. */
  stored?: { id: string; version: number };
}

export const NEW = "extract/new";
export const CONFIGS = `/components/${COMPONENT}/configs`;

export function Builder({ start, name, findings = [], stored }: Props) {
  const began = stored ? { path: `${CONFIGS}/${enc(stored.id)}`, title: name, saved: toText(start), version: stored.version } : { path: CONFIGS, key: NEW, title: name || "A new configuration", saved: "", version: 0, name };
  const { draft, text: kept, setText, change: keep } = useDraft(began);
  const text = stored || draft ? kept : toText(start);
  // A proposal is stored nowhere yet: it is a draft from the beginning.
  useEffect(() => {
    if (!stored && !draft) keep({ text: toText(start), beside: findings });
  }, []); // eslint-disable-line
  const found = (draft?.beside as Finding[] | undefined) ?? findings;
  const [selected, setSelected] = useState("0");
  const { data: about } = useApi<Component>("storage", `/components/${COMPONENT}`);
  const document = useMemo(() => parse(text), [text]);
  const jobs = document ? listJobs(document) : [];
  const job = jobs.find((each) => each.id === selected) ?? jobs[0];
  const trying = useTrial(document, text, job?.id);
  const { trial, isOld } = trying;
  const change = (next: Document): void => setText(toText(next));
  const parts = document && job ? { document, job: job.path as Keys, onChange: change } : null;
  const schema = (about?.editorSchema ?? about?.configurationSchema ?? {}) as Schema;
  return (
    <Stack gap="sm">
      <Bar document={document} draft={draft} configId={stored?.id ?? ""} onName={(next) => keep({ name: next })} jobs={jobs} job={job} onJob={setSelected} trying={trying} />
      <Findings findings={found} trial={trial.data} use={parts ? { isUsed: (settings) => isUsed(parts.document, parts.job, settings), apply: (settings) => change(applyFinding(parts.document, parts.job, settings)) } : undefined} />
      {trial.error && <Failure error={trial.error} />}
      {trial.error && /may change data/.test(trial.error.message) && <Checkbox label="This POST only reads" checked={trying.isPostAllowed} onChange={(event) => trying.setPost(event.currentTarget.checked)} />}
      {parts ? (
        <Locked><Panes isOld={isOld}>{{
          Request: <RequestPane {...parts} schema={schema} page={trial.data?.pages[0]} />,
          Response: <ResponsePane {...parts} trial={trial.data} />,
          Records: <RecordsPane {...parts} jobId={job?.id ?? "0"} page={trial.data?.pages[0]} />,
          Tables: <TablesPane trial={trial.data} />,
        }}</Panes></Locked>
      ) : (
        <Empty title={document ? "The configuration has no job" : "The JSON below is not valid"}>{document ? <>Add one to <code>parameters.config.jobs</code> below.</> : "The panes come back when it is."}</Empty>
      )}
      <Section title="Configuration">
        <Locked><Editor value={text} onChange={setText} language="json" schema={whole(schema)} label="Configuration as JSON" height="420px" onRun={trying.again} /></Locked>
        {findFullLoads(document).map((each) => <Alert key={each} mt="sm" color="yellow" variant="light" role="alert" title={each} />)}
        {!document && <Alert mt="sm" color="red" variant="light" role="alert" title="This is not valid JSON." />}
      </Section>
    </Stack>
  );
}

function whole(schema: Schema): Schema {
  const { definitions, $defs } = schema;
  return { type: "object", properties: { parameters: schema }, ...(definitions && { definitions }), ...($defs && { $defs }) };
}

function parse(text: string): Document | null {
  try {
    const found = JSON.parse(text) as unknown;
    return typeof found === "object" && found !== null && !Array.isArray(found) ? (found as Document) : null;
  } catch {
    return null;
  }
}

const toText = (document: Document): string => JSON.stringify(document, null, 2);
