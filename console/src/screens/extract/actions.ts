// The actions of the extractor that the builder asks for. The response to an action that fails is 200, with its reason.
import { ApiError, call } from "../../shared/api/client";

export const COMPONENT = "ex-generic-v2";
export const TRIES = { component: COMPONENT, runs: true };

export interface TableView {
  name: string;
  columns: string[];
  rows: string[][];
  count: number;
  primaryKey: string[];
}

export interface Finding {
  subject: string;
  choice: string;
  evidence: string;
  isProven: boolean;
  /** Settings of the job that make use of it. */
  job?: Document;
}

export interface Proposal {
  configuration: Document;
  findings: Finding[];
  tables: TableView[];
  requests: number;
}

export interface Endpoint {
  endpoint: string;
  note: string;
}

export interface PageView {
  request: { url: string; method: string; data: string | null; headers: Record<string, string> };
  response: { status_code: number; reason: string; data: unknown; headers: Record<string, string>; lengths: { path: (string | number)[]; length: number }[] };
  records: unknown[];
  count: number;
  problem: string;
}

export interface Trial {
  pages: PageView[];
  pagination: { isNext: boolean | null; evidence: string };
  tables: TableView[];
  problem: string;
  warnings: string[];
  requests: number;
  debug_log: string;
}

export type Document = Record<string, unknown>;

export interface Source {
  kind: Kind;
  text: string;
  server: string;
  headers: string[];
  endpoint: string;
  isPostAllowed: boolean;
}
export type Kind = "url" | "curl" | "openapi" | "har";
const KEYS = { url: "__URL", curl: "__CURL_COMMAND", openapi: "__OPENAPI", har: "__HAR" };

/** A proposal whose secrets are encrypted, or the endpoints to choose from. */
export async function propose(source: Source, project: string): Promise<Proposal | { endpoints: Endpoint[] }> {
  const { kind, text, server, headers, endpoint, isPostAllowed } = source;
  const parameters = { [KEYS[kind]]: text, ...(kind === "openapi" && server && { __URL: server }), __HEADERS: headers, __ENDPOINT: endpoint, __ALLOW_POST: isPostAllowed, __WITH_SECRETS: true };
  const found = await act<(Proposal & { secrets: Record<string, string> }) | { endpoints: Endpoint[] }>("discover", { parameters });
  if ("endpoints" in found) return found;
  const { secrets, ...proposal } = found;
  return { ...proposal, configuration: await withSecrets(proposal.configuration, secrets, project) };
}

export function tryJob(document: Document, job: string, isPostAllowed: boolean): Promise<Trial> {
  return act<Trial>("try_job", { ...document, parameters: { ...(document["parameters"] as Document), __SELECTED_JOB: job, __ALLOW_POST: isPostAllowed } });
}

export function inferMapping(document: Document, job: string): Promise<Document> {
  return act<Document>("infer_mapping", { ...document, parameters: { ...(document["parameters"] as Document), __SELECTED_JOB: job } });
}

async function act<T extends object>(action: string, configData: Document): Promise<T> {
  const found = await call<T | { status: string; traceback: string[] }>("sync-actions", "/actions", { method: "POST", body: { componentId: COMPONENT, action, configData } });
  if ("traceback" in found) throw new ApiError((found.traceback as string[]).join(" "), 400);
  return found as T;
}

/** Secrets are encrypted before anything is shown: from here on only ciphers are known. */
async function withSecrets(document: Document, secrets: Record<string, string>, project: string): Promise<Document> {
  if (!Object.keys(secrets).length) return document;
  const ciphers = await encrypt(secrets, project);
  const parameters = document["parameters"] as Document;
  return { ...document, parameters: { ...parameters, config: { ...(parameters["config"] as Document), ...ciphers } } };
}

async function encrypt(secrets: Record<string, string>, project: string): Promise<Record<string, string>> {
  return call("encryption", "/encrypt", { method: "POST", query: { componentId: COMPONENT, projectId: project }, body: secrets });
}
