// One way to call a service of this stack: found in the index of Storage, like by any other client.
import { STORAGE_URL } from "./address";
import { inBranch } from "./branches";
import { ApiError, reach, reachOk, readError } from "./reach";
import { AUTH_URL, credentials, renew } from "./session";

export { ApiError, readError, STORAGE_URL };

type Value = string | number | boolean | null | undefined | Value[] | { [key: string]: Value };
export interface Options {
  method?: string;
  query?: { [key: string]: Value };
  body?: unknown;
  token?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

const ON_THIS_HOST: Record<string, string> = { storage: `${STORAGE_URL}/v2/storage`, auth: AUTH_URL, manage: `${STORAGE_URL}/manage` };
let services: Promise<Map<string, string>> | undefined;

export async function call<T>(service: string, path: string, options: Options = {}): Promise<T> {
  const response = await send(service, path, options);
  return response.status === 204 ? (undefined as T) : ((await response.json()) as T);
}

export async function send(service: string, asked: string, given: Options = {}): Promise<Response> {
  const { path, options } = inBranch(service, asked, given);
  const url = (await urlOf(service)) + path + toQuery(options.query);
  let response = await reach(url, await toRequest(options));
  // A wrong password is a 401 too: what is not a read is not repeated at the rows for signing in.
  const mayRepeat = service !== "auth" || (options.method ?? "GET") === "GET";
  if (response.status === 401 && options.token === undefined && (await renew()) && mayRepeat) response = await reach(url, await toRequest(options));
  if (!response.ok) throw readError(response.status, await response.text());
  return response;
}

async function toRequest({ method = "GET", body, signal, token, headers: more }: Options): Promise<RequestInit> {
  const headers = { ...(token === undefined ? await credentials() : { "X-StorageApi-Token": token }), ...more };
  const init: RequestInit = { method, headers, ...(signal && { signal }) };
  if (body === undefined) return init;
  const isArchive = body instanceof Blob;
  return { ...init, headers: { ...headers, "Content-Type": isArchive ? "application/zip" : "application/json" }, body: isArchive ? body : JSON.stringify(body) };
}

export async function urlOf(service: string): Promise<string> {
  const here = ON_THIS_HOST[service];
  if (here) return here;
  services ??= readServices().catch((error: unknown) => {
    services = undefined;
    throw error;
  });
  const url = (await services).get(service);
  if (!url) throw new ApiError(`This stack has no service "${service}".`, 404);
  return url;
}

export async function listServices(): Promise<{ id: string; url: string }[]> {
  await urlOf("queue");
  return [...(await services!)].map(([id, url]) => ({ id, url }));
}

async function readServices(): Promise<Map<string, string>> {
  const response = await reachOk(`${STORAGE_URL}/v2/storage?exclude=components`);
  const index = (await response.json()) as { services: { id: string; url: string }[] };
  return new Map(index.services.map(({ id, url }) => [id, url]));
}

/** Nested values as the APIs read them: `whereFilters[0][column]=id`. */
function toQuery(query: Options["query"]): string {
  const pairs = new URLSearchParams();
  const add = (name: string, value: Value): void => {
    if (value === undefined || value === null || value === "") return;
    if (typeof value !== "object") pairs.append(name, String(value));
    else if (Array.isArray(value)) value.forEach((each, index) => add(`${name}[${typeof each === "object" ? index : ""}]`, each));
    else Object.entries(value).forEach(([key, each]) => add(`${name}[${key}]`, each));
  };
  Object.entries(query ?? {}).forEach(([name, value]) => add(name, value));
  return pairs.size ? `?${pairs}` : "";
}
