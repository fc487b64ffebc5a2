// Work that takes a while: jobs of Storage, uploads and downloads, with their progress.
import { call, readError, urlOf, ApiError } from "./client";
import { enc } from "./hooks";
import { readToken } from "./session";
import type { StorageJob, StoredFile } from "./types";

export type Progress = (done: number, text: string) => void;

/** Wait for a job of Storage. Its error is the error of the request that started it. */
export async function finish(started: StorageJob): Promise<StorageJob> {
  let job = started;
  for (let pause = 100; job.status !== "success" && job.status !== "error"; pause = Math.min(pause * 1.5, 2000)) {
    await new Promise((resolve) => setTimeout(resolve, pause));
    job = await call<StorageJob>("storage", `/jobs/${job.id}`);
  }
  if (job.status === "error") throw toError(job.error);
  return job;
}

function toError(error: unknown): ApiError {
  const { message, exceptionId } = (error ?? {}) as { message?: string; exceptionId?: string };
  return new ApiError(message ?? "The job of Storage failed.", 400, exceptionId ?? "");
}

/** XMLHttpRequest, since fetch does not tell how much of a body was sent. */
export async function uploadFile(file: File, progress: Progress): Promise<StoredFile> {
  const url = `${await urlOf("import")}/upload-file`;
  const form = new FormData();
  form.append("data", file);
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open("POST", url);
    request.setRequestHeader("X-StorageApi-Token", readToken());
    request.upload.onprogress = ({ loaded, total }) => progress(loaded / total, "Uploading");
    request.onerror = () => reject(new ApiError("The upload broke off. Is the stack running?", 0));
    request.onload = () => (request.status < 300 ? resolve(JSON.parse(request.responseText) as StoredFile) : reject(readError(request.status, request.responseText)));
    request.send(form);
  });
}

/** All rows of a table as one CSV file, saved by the browser. */
export async function downloadTable(tableId: string, columns: string[], progress: Progress): Promise<void> {
  progress(0, "Exporting");
  const job = await finish(await call<StorageJob>("storage", `/tables/${enc(tableId)}/export-async`, { method: "POST", body: {} }));
  const { file } = job.results as { file: { id: number } };
  const stored = await call<StoredFile>("storage", `/files/${file.id}`, { query: { federationToken: 1 } });
  const urls = stored.isSliced ? await readSlices(stored.url) : [stored.url];
  const parts: BlobPart[] = stored.isSliced ? [columns.map((each) => `"${each.replaceAll('"', '""')}"`).join(",") + "\n"] : [];
  for (const [at, url] of urls.entries()) {
    progress(at / urls.length, "Downloading");
    parts.push(await (await fetch(url)).blob());
  }
  progress(1, "Downloading");
  save(new Blob(parts, { type: "text/csv" }), `${tableId}.csv`);
}

/** The slices of a file have the same signature as their list. */
async function readSlices(manifest: string): Promise<string[]> {
  const { entries } = (await (await fetch(manifest)).json()) as { entries: { url: string }[] };
  return entries.map(({ url }) => url.replace(/^azure:/, "https:") + new URL(manifest).search);
}

export function save(content: Blob, name: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
