// The example of an operation, as the document has it, and as a command.
import { responseOf, type Document, type Entry, type Found, schemeOf } from "./documents";

export const [UPLOAD, FORM, ARCHIVE] = ["multipart/form-data", "application/x-www-form-urlencoded", "application/zip"];
/** Bodies that are not text. */
export const FORMS: unknown[] = [UPLOAD, FORM, ARCHIVE];

export interface Example { path: Record<string, string>; query: Record<string, string>; body: unknown; kind: string; status: number; response: unknown }

export function exampleOf(document: Document, found: Found): Example | undefined {
  const { operation } = found;
  const status = operation["x-example-status"];
  if (!status) return undefined;
  const given = operation.parameters.filter((each) => each.example !== undefined);
  const values = (place: string): Record<string, string> =>
    Object.fromEntries(given.filter((each) => each.in === place).map((each) => [each.name, String(each.example)]));
  const [kind = "", content] = Object.entries(operation.requestBody?.content ?? {})[0] ?? [];
  const response = operation.responses[String(status)];
  const contents = response ? Object.values(responseOf(document, response).content ?? {}) : [];
  return { path: values("path"), query: values("query"), body: content?.example, kind, status, response: contents.find((each) => each.example !== undefined)?.example };
}

export function toUrl(entry: Entry, found: Found, path: Record<string, string>, query: Record<string, string>): string {
  const filled = found.path.replace(/\{(\w+)\}/g, (whole, name: string) => (path[name] ? encodeURIComponent(path[name]) : whole));
  const asked = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== "")).toString();
  return `${entry.apiUrl}${filled}${asked ? `?${asked}` : ""}`;
}

export function toCurl(entry: Entry, document: Document, found: Found, example: Example): string {
  const scheme = schemeOf(document, found.operation);
  const token = !scheme ? [] : scheme.type === "http" ? ["-H 'Authorization: Bearer TOKEN'"] : [scheme.in === "cookie" ? `--cookie ${quote(`${scheme.name}=SESSION`)}` : `-H ${quote(`${scheme.name}: TOKEN`)}`];
  const parts = [`curl${found.method === "GET" ? "" : ` -X ${found.method}`} ${quote(toUrl(entry, found, example.path, example.query))}`, ...token];
  return [...parts, ...bodyOf(example)].join(" \\\n  ");
}

function bodyOf({ body, kind }: Example): string[] {
  const fields = Object.entries((body ?? {}) as Record<string, unknown>).map(([name, value]) => quote(`${name}=${String(value)}`));
  if (kind === UPLOAD) return [...fields.map((each) => `-F ${each}`), "-F 'data=@rows.csv'"];
  if (kind === FORM) return fields.map((each) => `--data-urlencode ${each}`);
  if (kind === ARCHIVE) return [`-H ${quote(`Content-Type: ${kind}`)}`, "--data-binary '@program.zip'"];
  return body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d ${quote(JSON.stringify(body))}`];
}

/** A text as one word of a shell. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
