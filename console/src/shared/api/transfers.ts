// Work that takes a while: jobs of Storage, uploads and downloads, with their progress. Each can be cancelled.
import { branchIn } from "./branches";
import { ApiError, call, readError, send, urlOf } from "./client";
import { enc } from "./hooks";
import { reach, reachOk } from "./reach";
import { credentials } from "./session";
import type { StorageJob, StoredFile } from "./types";

export type Progress = (done: number, text: string) => void;

/** Wait for a job of Storage. Its error is the error of the request that started it; a signal cancels the job. */
export async function finish(started: StorageJob, signal?: AbortSignal): Promise<StorageJob> {
  let job = started;
  for (let pause = 100; job.status !== "success" && job.status !== "error"; pause = Math.min(pause * 1.5, 2000)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    if (signal?.aborted) await cancel(job.id);
    signal?.throwIfAborted();
    job = await call<StorageJob>("storage", `/jobs/${job.id}`);
  }
  if (job.status === "error") throw toError(job.error);
  return job;
}

/** One that has ended meanwhile is refused, which is as good. */
async function cancel(job: number): Promise<void> {
  await call("storage", `/jobs/${job}/cancel`, { method: "POST" }).catch(() => undefined);
}

function toError(error: unknown): ApiError {
  const { message, exceptionId } = (error ?? {}) as { message?: string; exceptionId?: string };
  return new ApiError(message ?? "The job of Storage failed.", 400, exceptionId ?? "");
}

/** XMLHttpRequest, since fetch does not tell how much of a body was sent. */
export async function uploadFile(file: File, progress: Progress, signal?: AbortSignal): Promise<StoredFile> {
  const url = `${await urlOf("import")}/upload-file`;
  const headers = await credentials();
  signal?.throwIfAborted();
  const form = new FormData();
  const branch = branchIn(location.pathname);
  if (branch) form.append("branchId", branch);
  form.append("data", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    Object.entries(headers).forEach(([name, value]) => request.setRequestHeader(name, value));
    request.upload.onprogress = ({ loaded, total }) => progress(loaded / total, "Uploading");
    request.onerror = () => reject(new ApiError("The upload broke off. Is the stack running?", 0));
    request.onabort = () => reject(signal?.reason ?? new Error("cancelled"));
    request.onload = () => (request.status < 300 ? resolve(JSON.parse(request.responseText) as StoredFile) : reject(readError(request.status, request.responseText)));
    signal?.addEventListener("abort", () => request.abort());
    request.send(form);
  });
}

/** All rows of a table as one CSV file, saved by the browser. */
export async function downloadTable(tableId: string, columns: string[], progress: Progress, signal: AbortSignal): Promise<void> {
  progress(0, "Exporting");
  const job = await finish(await call<StorageJob>("storage", `/tables/${enc(tableId)}/export-async`, { method: "POST", body: {} }), signal);
  const { file } = job.results as { file: { id: number } };
  const stored = await call<StoredFile>("storage", `/files/${file.id}`, { query: { federationToken: 1 }, signal });
  const urls = stored.isSliced ? await readSlices(stored.url, signal) : [stored.url];
  const parts: BlobPart[] = stored.isSliced ? [columns.map((each) => `"${each.replaceAll('"', '""')}"`).join(",") + "\n"] : [];
  let read = 0;
  for (const url of urls) {
    const count = (bytes: number): void => progress(Math.min((read += bytes) / (stored.sizeBytes || 1), 1), "Downloading");
    parts.push(...(await readBody(await reach(url, { signal }), count)));
  }
  save(new Blob(parts, { type: "text/csv" }), `${tableId}.csv`);
}

/** A response of a service as a file, saved by the browser. */
export async function downloadFrom(service: string, path: string, name: string): Promise<void> {
  save(await (await send(service, path)).blob(), name);
}

async function readBody(response: Response, count: (bytes: number) => void): Promise<BlobPart[]> {
  if (!response.ok || !response.body) throw readError(response.status, await response.text());
  const parts: BlobPart[] = [];
  for (const reader = response.body.getReader(); ; ) {
    const { done, value } = await reader.read();
    if (done) return parts;
    parts.push(value);
    count(value.length);
  }
}

/** The slices of a file have the same signature as their list. */
async function readSlices(manifest: string, signal: AbortSignal): Promise<string[]> {
  const { entries } = (await (await reachOk(manifest, { signal })).json()) as { entries: { url: string }[] };
  return entries.map(({ url }) => url.replace(/^azure:/, "https:") + new URL(manifest).search);
}

export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
