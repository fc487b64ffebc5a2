// The example of an operation as code: as a command, and in Python and JavaScript.
import { findCall, python } from "./clientCalls";
import { type Document, type Entry, type Found, schemeOf } from "./documents";
import { ARCHIVE, type Example, FORM, toCurl, toUrl, UPLOAD } from "./example";

export const LANGUAGES = ["curl", "Python", "httpx", "JavaScript"] as const;
export type Language = (typeof LANGUAGES)[number];

interface Parts { entry: Entry; document: Document; found: Found; example: Example; storageUrl: string }

export function toSnippet(language: Language, parts: Parts): string {
  const { entry, document, found, example } = parts;
  if (language === "curl") return toCurl(entry, document, found, example);
  if (language === "JavaScript") return toJavaScript(parts);
  return language === "httpx" ? toHttpx(parts) : toClient(parts);
}

/** With `penstock.client`, which finds the address of the service; what it has no call for is sent with httpx. */
function toClient(parts: Parts): string {
  const { entry, found, example, storageUrl } = parts;
  const connect = (inside: string): string => `with connect(${python(storageUrl)}, "TOKEN") as stack:\n${inside.replace(/^/gm, "    ")}`;
  const call = findCall(entry.id, found.id, example);
  if (call) {
    const path = call.includes("Path(") ? "from pathlib import Path\n\n" : "";
    return `${path}from penstock.client import connect\n\n${connect(call)}`;
  }
  const address = `stack.url_of(${python(entry.id)}) + ${python(toUrl({ ...entry, apiUrl: "" }, found, example.path, {}))}`;
  return `import httpx\nfrom penstock.client import connect\n\n${connect(`url = ${address}`)}\n\n${request("url", parts)}`;
}

const toHttpx = (parts: Parts): string => `import httpx\n\n${request(python(toUrl(parts.entry, parts.found, parts.example.path, {})), parts)}`;

function request(url: string, { document, found, example }: Parts): string {
  const { query, body, kind } = example;
  const { headers, cookies } = proofOf(document, found);
  const fields = (body ?? {}) as Record<string, unknown>;
  const given = [
    ...(Object.keys(query).length ? [`params=${python(query)}`] : []),
    ...(Object.keys(headers).length ? [`headers=${python(kind === ARCHIVE ? { ...headers, "Content-Type": kind } : headers)}`] : []),
    ...(Object.keys(cookies).length ? [`cookies=${python(cookies)}`] : []),
    ...(kind === UPLOAD ? [`data=${python(fields)}`, 'files={"data": open("rows.csv", "rb")}'] : []),
    ...(kind === FORM ? [`data=${python(fields)}`] : []),
    ...(kind === ARCHIVE ? ['content=open("program.zip", "rb").read()'] : []),
    ...(![UPLOAD, FORM, ARCHIVE].includes(kind) && body !== undefined ? [`json=${python(body)}`] : []),
  ];
  return `response = httpx.request(\n    ${[python(found.method), url, ...given].join(",\n    ")},\n)\nresponse.raise_for_status()\nprint(response.text)`;
}

function toJavaScript({ entry, document, found, example }: Parts): string {
  const { body, kind } = example;
  const { headers, cookies } = proofOf(document, found);
  const isJson = ![UPLOAD, FORM, ARCHIVE].includes(kind) && body !== undefined;
  const all = { ...headers, ...(isJson ? { "Content-Type": "application/json" } : kind === ARCHIVE ? { "Content-Type": kind } : {}) };
  const fields = Object.entries((body ?? {}) as Record<string, unknown>).map(([name, value]) => [name, String(value)] as const);
  const form = kind === UPLOAD ? ["const form = new FormData();", ...fields.map(([name, value]) => `form.append(${JSON.stringify(name)}, ${JSON.stringify(value)});`), 'form.append("data", file, "rows.csv");', ""] : [];
  const content = kind === UPLOAD ? "form" : kind === ARCHIVE ? "file" : kind === FORM ? `new URLSearchParams(${JSON.stringify(Object.fromEntries(fields))})` : isJson ? `JSON.stringify(${JSON.stringify(body)})` : "";
  const options = [
    `  method: ${JSON.stringify(found.method)},`,
    ...(Object.keys(all).length ? [`  headers: ${JSON.stringify(all)},`] : []),
    ...(Object.keys(cookies).length ? ['  credentials: "include",'] : []),
    ...(content ? [`  body: ${content},`] : []),
  ];
  const call = [`const response = await fetch(${JSON.stringify(toUrl(entry, found, example.path, example.query))}, {`, ...options, "});"];
  return [...form, ...call, "if (!response.ok) throw new Error(await response.text());", "console.log(await response.text());"].join("\n");
}

/** What the request proves itself with. */
function proofOf(document: Document, found: Found): { headers: Record<string, string>; cookies: Record<string, string> } {
  const scheme = schemeOf(document, found.operation);
  if (!scheme) return { headers: {}, cookies: {} };
  if (scheme.type === "http") return { headers: { Authorization: "Bearer TOKEN" }, cookies: {} };
  const named = { [scheme.name ?? ""]: scheme.in === "cookie" ? "SESSION" : "TOKEN" };
  return scheme.in === "cookie" ? { headers: {}, cookies: named } : { headers: named, cookies: {} };
}
