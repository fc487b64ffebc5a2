// The index of the stack and the OpenAPI documents that it names, as the portal reads them.
import { useEffect, useState } from "react";

export interface Entry { id: string; name: string; apiUrl: string; openApiSpecUrl: string }
export interface Schema {
  $ref?: string; type?: string | string[]; title?: string; description?: string; format?: string; default?: unknown;
  enum?: unknown[]; const?: unknown; items?: Schema | false; properties?: Record<string, Schema>; required?: string[];
  anyOf?: Schema[]; oneOf?: Schema[]; additionalProperties?: Schema | boolean;
  minimum?: number; maximum?: number; minLength?: number; maxLength?: number; pattern?: string;
}
export interface Parameter { name: string; in: string; required?: boolean; description?: string; schema: Schema; example?: unknown }
export interface Content { schema?: Schema; example?: unknown }
export interface ApiResponse { $ref?: string; description: string; content?: Record<string, Content> }
interface Scheme { type: string; in?: string; name?: string; scheme?: string }
export interface Operation {
  operationId: string; summary: string; description: string; tags?: string[]; parameters: Parameter[];
  requestBody?: { content: Record<string, Content> };
  responses: Record<string, ApiResponse>;
  security: Record<string, string[]>[];
  "x-right": { id: string; needs: string };
  "x-example-status"?: number;
  /** The path of the same operation without a branch, if it is one within a branch. */
  "x-twin"?: string;
}
export interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses: Record<string, ApiResponse>; securitySchemes: Record<string, Scheme> };
}
export interface Found { service: string; id: string; method: string; path: string; operation: Operation }

export const listOperations = (service: string, document: Document): Found[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ service, id: operation.operationId, method: method.toUpperCase(), path, operation })),
  );

/** What all services have, and what the stack refuses, is of less use than the rest. */
const SERVICE = "Service";
const isRefused = ({ operation }: Found): number => (operation.responses["501"] ? 1 : 0);

/** The operations by resource, in the order of the document; without the twins within a branch. */
export function groupOperations(all: Found[]): [resource: string, found: Found[]][] {
  const groups = new Map<string, Found[]>();
  for (const each of all.filter(({ operation }) => !operation["x-twin"])) {
    const resource = each.operation.tags?.[0] ?? "";
    groups.set(resource, [...(groups.get(resource) ?? []), each]);
  }
  const sorted = [...groups].map(([resource, found]) => [resource, found.toSorted((one, other) => isRefused(one) - isRefused(other))] as [string, Found[]]);
  return sorted.toSorted(([one], [other]) => Number(one === SERVICE) - Number(other === SERVICE));
}

/** The path within a branch of an operation that has one, or the one without a branch of its twin. */
export function findTwin(all: Found[], found: Found): Found | undefined {
  const path = found.operation["x-twin"];
  return all.find((each) => each.method === found.method && (path ? each.path === path : each.operation["x-twin"] === found.path));
}

export const responseOf = (document: Document, response: ApiResponse): ApiResponse =>
  response.$ref ? (document.components.responses[lastPart(response.$ref)] ?? response) : response;

export const schemaOf = (document: Document, schema: Schema): Schema =>
  schema.$ref ? (document.components.schemas[lastPart(schema.$ref)] ?? {}) : schema;

export const lastPart = (reference: string): string => reference.slice(reference.lastIndexOf("/") + 1);

/** How the operation is authenticated; none if it needs no token. */
export function schemeOf(document: Document, operation: Operation): Scheme | undefined {
  const name = Object.keys(operation.security[0] ?? {})[0];
  return name ? document.components.securitySchemes[name] : undefined;
}

interface Loaded { entries: Entry[]; stack: string; documents: Record<string, Document>; problem: string }

/** The wanted document first; the others follow, for the search. */
export function useDocuments(wanted: string): Loaded {
  const [loaded, setLoaded] = useState<Loaded>({ entries: [], stack: "", documents: {}, problem: "" });
  useEffect(() => {
    let isOver = false;
    const load = async (): Promise<void> => {
      const { stack, services } = await read<{ stack: string; services: Entry[] }>("apis.json");
      setLoaded((before) => ({ ...before, stack, entries: services }));
      const first = services.filter((each) => each.id === wanted);
      for (const entry of [...first, ...services.filter((each) => each.id !== wanted)]) {
        if (isOver) return;
        const document = await read<Document>(`specs/${encodeURIComponent(entry.id)}.json`);
        setLoaded((before) => ({ ...before, documents: { ...before.documents, [entry.id]: document } }));
      }
    };
    load().catch((error: unknown) => setLoaded((before) => ({ ...before, problem: String(error) })));
    return () => { isOver = true; };
    // Only once: a service that is chosen later is loaded already, or about to be.
  }, []);
  return loaded;
}

async function read<T>(path: string): Promise<T> {
  const response = await fetch(new URL(path, document.baseURI), { credentials: "omit" });
  if (!response.ok) throw new Error(`The portal responded to ${path} with ${response.status}.`);
  return (await response.json()) as T;
}
