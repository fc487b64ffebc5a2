// Runs a part of a transformation that need not be saved. Nothing is written to Storage: SQL runs in a workspace of its own, with the
// tables that it reads; Python in a job that writes no table.
import { call } from "../../shared/api/client";
import { enc } from "../../shared/api/hooks";
import { finish } from "../../shared/api/transfers";
import type { Job, QueryJob, StorageJob, Workspace } from "../../shared/api/types";
import { splitStatements } from "../sql/statements";
import { findBranch } from "../sql/workspace";
import { type Code, type Document, languageOf, textOf } from "./document";

export type Trial = { query: string } | { job: string };

export interface Target {
  component: string;
  config: string;
  token: string;
  branch: string;
}

const ROWS = 100;

export async function tryCodes(codes: Code[], document: Document, target: Target): Promise<Trial> {
  return languageOf(target.component) === "sql" ? trySql(codes, document, target) : tryPython(codes, document, target);
}

async function trySql(codes: Code[], { storage }: Document, target: Target): Promise<Trial> {
  const text = codes.map((code) => textOf(code, "sql")).join("\n;\n");
  const written = storage.output.tables.map(({ source = "" }) => source).filter((source) => source && text.toLowerCase().includes(source.toLowerCase()));
  const statements = [...splitStatements(text), ...written.map((source) => `SELECT * FROM "${source.replaceAll('"', '""')}" LIMIT ${ROWS}`)];
  const workspace = await makeWorkspace(target);
  const inputs = storage.input.tables.filter(({ source }) => source);
  if (inputs.length) await finish(await call<StorageJob>("storage", `/workspaces/${workspace.id}/load`, { method: "POST", body: { input: inputs } }));
  const path = `/api/v1/branches/${await findBranch(target.branch)}/workspaces/${workspace.id}/queries`;
  const dialect = target.component.includes("snowflake") ? "snowflake" : "duckdb";
  return { query: (await call<QueryJob["Submitted"]>("query", path, { method: "POST", body: { statements, dialect } })).queryJobId };
}

/** An empty one: what the last try left is removed, as each run begins without it. */
async function makeWorkspace({ component, config, token }: Target): Promise<Workspace> {
  const path = `/components/${enc(component)}/configs/${enc(config)}/workspaces`;
  const earlier = await call<Workspace[]>("storage", path);
  for (const each of earlier) if (String(each.creatorToken.id) === token) await call("storage", `/workspaces/${each.id}`, { method: "DELETE" });
  return call<Workspace>("storage", path, { method: "POST", body: { backend: "snowflake" } });
}

async function tryPython(codes: Code[], document: Document, { component, config }: Target): Promise<Trial> {
  const { parameters, storage } = document;
  const configData = { ...document, parameters: { ...parameters, blocks: [{ name: "Try", codes }] }, storage: { ...storage, output: { ...storage.output, tables: [] } } };
  return { job: (await call<Job>("queue", "/jobs", { method: "POST", body: { component, config, mode: "run", configData } })).id };
}
