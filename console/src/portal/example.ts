// The example of an operation, as the document has it, and as a command.
import { responseOf, type Document, type Entry, type Found, schemeOf } from "./documents";

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
  const token = !scheme ? [] : scheme.type === "http" ? ["-H 'Authorization: Bearer TOKEN'"] : [scheme.in === "cookie" ? `--cookie '${scheme.name}=SESSION'` : `-H '${scheme.name}: TOKEN'`];
  const parts = [`curl${found.method === "GET" ? "" : ` -X ${found.method}`} '${toUrl(entry, found, example.path, example.query)}'`, ...token];
  if (example.body !== undefined && example.kind.startsWith("multipart/")) {
    parts.push(...Object.entries(example.body as Record<string, unknown>).map(([name, value]) => `-F '${name}=${String(value)}'`), "-F 'data=@rows.csv'");
  } else if (example.body !== undefined) {
    parts.push("-H 'Content-Type: application/json'", `-d '${JSON.stringify(example.body).replaceAll("'", "'\\''")}'`);
  }
  return parts.join(" \\\n  ");
}
