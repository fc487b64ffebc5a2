// One way to call a service of this stack: found in the index of Storage, like by any other client.
import { STORAGE_URL } from "./address";
import { inBranch } from "./branches";
import { AUTH_URL, credentials, renew } from "./session";

export { STORAGE_URL };

export class ApiError extends Error {
  constructor(
    message: string,
    readonly status: number,
    readonly exceptionId = "",
  ) {
    super(message);
  }
}

type Value = string | number | boolean | null | undefined | Value[] | { [key: string]: Value };
export interface Options {
  method?: string;
  query?: { [key: string]: Value };
  body?: unknown;
  token?: string;
  signal?: AbortSignal;
}

const NO_CONNECTION = "The stack does not answer. Is it running?";
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

async function toRequest({ method = "GET", body, signal, token }: Options): Promise<RequestInit> {
  const headers = token === undefined ? await credentials() : { "X-StorageApi-Token": token };
  const init: RequestInit = { method, headers, ...(signal && { signal }) };
  return body === undefined ? init : { ...init, headers: { ...headers, "Content-Type": "application/json" }, body: JSON.stringify(body) };
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
  const response = await reach(`${STORAGE_URL}/v2/storage?exclude=components`, {});
  const index = (await response.json()) as { services: { id: string; url: string }[] };
  return new Map(index.services.map(({ id, url }) => [id, url]));
}

async function reach(url: string, init: RequestInit): Promise<Response> {
  try {
    return await fetch(url, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new ApiError(NO_CONNECTION, 0);
  }
}

/** The sentence of an error. Services differ in the field that it is in. */
export function readError(status: number, text: string): ApiError {
  try {
    const body = JSON.parse(text) as Record<string, unknown>;
    const sentence = [body["error"], body["message"], body["exception"]].find((each) => typeof each === "string");
    return new ApiError(String(sentence ?? text), status, String(body["exceptionId"] ?? ""));
  } catch {
    return new ApiError(text || `The server answered ${status}.`, status);
  }
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
