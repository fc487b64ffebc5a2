import { SegmentedControl, Stack } from "@mantine/core";
import { useMemo, useState } from "react";
import { useLocation } from "@tanstack/react-router";
import { branchIn } from "../../shared/api/branches";
import { useChange, useProject, useTables } from "../../shared/api/hooks";
import type { Component, Configuration } from "../../shared/api/types";
import { Editing, type Text } from "../configurations/Editing";
import { FormAndJson } from "../configurations/JsonForm";
import { wholeSchema } from "../configurations/wholeSchema";
import { Blocks } from "./Blocks";
import { type Code, type Document, languageOf, nameFor, read, write } from "./document";
import { Inputs, Outputs } from "./Mapping";
import { Packages } from "./Packages";
import { TrialResult } from "./TrialResult";
import { tryCodes } from "./trying";
import { Locked } from "../../shared/rights";

export const isTransformation = (about: Component | undefined): boolean => about?.flags?.includes("genericCodeBlocksUI") ?? false;

/** The code of a transformation with the tables that it reads and writes, or the whole configuration as JSON. */
export function Transformation({ path, about, config }: { path: string; about: Component; config: Configuration }) {
  const schema = wholeSchema(about);
  return (
    <Editing path={path} title={config.name} value={config.configuration} version={config.version} schema={schema}>
      {(text) => <Views text={text} schema={schema} component={about.id} config={config.id} />}
    </Editing>
  );
}

function Views({ text, schema, component, config }: { text: Text; schema: unknown; component: string; config: string }) {
  const [view, setView] = useState("code");
  const document = useMemo(() => read(text.text), [text.text]);
  return (
    <Stack>
      <SegmentedControl size="xs" aria-label="View" value={document ? view : "json"} onChange={setView} w="fit-content"
        data={[{ value: "code", label: "Code", disabled: !document }, { value: "json", label: "JSON" }]} />
      {document && view === "code"
        ? <Locked><Parts document={document} component={component} config={config} onChange={(changed) => text.setText(write(changed))} onSave={text.save} /></Locked>
        : <FormAndJson {...text} schema={schema} />}
    </Stack>
  );
}

interface Part {
  title: string;
  codes: Code[];
}

interface Props {
  document: Document;
  component: string;
  config: string;
  onChange: (document: Document) => void;
  onSave: () => void;
}

function Parts({ document, component, config, onChange, onSave }: Props) {
  const tables = useTables("columns");
  const { data: token } = useProject();
  const branch = useLocation({ select: (location) => branchIn(location.pathname) });
  const trial = useChange(({ codes }: Part) => tryCodes(codes, document, { component, config, token: token?.id ?? "", branch }));
  const language = languageOf(component);
  const { parameters, storage } = document;
  const names = useMemo(() => toNames(document, tables.data ?? []), [document, tables.data]);
  const change = (part: Partial<Document["parameters"]>): void => onChange({ ...document, parameters: { ...parameters, ...part } });
  const map = (part: Partial<Document["storage"]>): void => onChange({ ...document, storage: { ...storage, ...part } });
  return (
    <>
      <Inputs rows={storage.input.tables} tables={tables.data ?? []} onChange={(rows) => map({ input: { ...storage.input, tables: rows } })} />
      {language === "python" && <Packages names={parameters.packages ?? []} onChange={(packages) => change({ packages })} />}
      <Blocks blocks={parameters.blocks} language={language} names={names} onChange={(blocks) => change({ blocks })} onSave={onSave} onTry={(title, codes) => trial.mutate({ title, codes })} />
      {(trial.data || trial.isPending) && <TrialResult title={trial.variables?.title ?? ""} trial={trial.data} onClose={() => trial.reset()} />}
      <Outputs rows={storage.output.tables} tables={tables.data ?? []} onChange={(rows) => map({ output: { ...storage.output, tables: rows } })} />
    </>
  );
}

/** The columns of the input tables by the names that the code has for them. */
function toNames({ storage }: Document, tables: { id: string; columns?: string[] }[]): Record<string, string[]> {
  const columns = new Map(tables.map((table) => [table.id, table.columns ?? []]));
  return Object.fromEntries(storage.input.tables.map(({ source = "", destination }) => [destination || nameFor(source), columns.get(source) ?? []]));
}
