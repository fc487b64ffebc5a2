import { Button, FileInput, Group, Modal, Progress, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useBuckets } from "../../shared/api/hooks";
import { finish, uploadFile } from "../../shared/api/transfers";
import type { Bucket, StorageJob } from "../../shared/api/types";
import { Failure, tablePath, usePlace } from "../../shared/parts";

const NEW = "a new bucket";

interface Target {
  bucket: string;
  table: string;
  key: string;
}

/** A CSV file into a new table, or into one that exists. */
export function Upload({ bucket: given, tableId, onClose }: { bucket?: string; tableId?: string; onClose: () => void }) {
  const buckets = useBuckets();
  const queries = useQueryClient();
  const place = usePlace();
  const navigate = useNavigate();
  const [file, setFile] = useState<File | null>(null);
  const [bucket, setBucket] = useState<string | null>(given ?? null);
  const [bucketName, setBucketName] = useState("uploads");
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const [isIncremental, setIncremental] = useState(true);
  const [progress, setProgress] = useState<{ done: number; text: string } | null>(null);
  const [error, setError] = useState<Error | null>(null);
  const chosen = bucket ?? (buckets.data?.length ? null : NEW);

  async function upload(event: FormEvent): Promise<void> {
    event.preventDefault();
    if (!file) return;
    setError(null);
    try {
      setProgress({ done: 0, text: "Uploading" });
      const stored = await uploadFile(file, (done, text) => setProgress({ done, text }));
      setProgress({ done: 1, text: "Loading the rows into the table" });
      const id = tableId ? await loadInto(tableId, stored.id, isIncremental) : await createTable({ bucket: await bucketOf(chosen, bucketName), table: name, key }, stored.id);
      await queries.invalidateQueries();
      onClose();
      void navigate({ to: place(tablePath(id)) as "/" });
    } catch (problem) {
      setError(problem as Error);
      setProgress(null);
    }
  }

  function choose(chosenFile: File | null): void {
    setFile(chosenFile);
    if (chosenFile && !name) setName(chosenFile.name.replace(/\.csv(\.gz)?$/i, "").replace(/[^A-Za-z0-9_]+/g, "_"));
  }

  return (
    <Modal opened onClose={onClose} title={tableId ? `Upload into ${tableId}` : "Upload a CSV file"} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => void upload(event)}>
        <Stack>
          <FileInput label="File" description="CSV with a header, plain or gzip" placeholder="Choose a file" accept=".csv,.gz,text/csv" value={file} onChange={choose} required />
          {tableId ? (
            <Switch label="Keep the rows that are there" checked={isIncremental} onChange={(event) => setIncremental(event.currentTarget.checked)} />
          ) : (
            <>
              <Select label="Bucket" data={[...(buckets.data ?? []).map((each) => each.id), NEW]} value={chosen} onChange={setBucket} required />
              {chosen === NEW && <TextInput label="Name of the bucket" value={bucketName} onChange={(event) => setBucketName(event.currentTarget.value)} required />}
              <TextInput label="Name of the table" value={name} onChange={(event) => setName(event.currentTarget.value)} required />
              <TextInput label="Primary key" description="Columns, with commas between them. Rows with the same key replace each other." value={key} onChange={(event) => setKey(event.currentTarget.value)} />
            </>
          )}
          {error && <Failure error={error} />}
          {progress && <div role="status"><Text size="sm" mb={4}>{progress.text} {progress.done < 1 ? `${Math.round(progress.done * 100)} %` : "…"}</Text><Progress value={progress.done * 100} animated={progress.done >= 1} aria-label="Progress of the upload" /></div>}
          <Group justify="flex-end"><Button type="submit" disabled={!file || !(tableId ?? chosen)} loading={Boolean(progress)}>Upload</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

async function bucketOf(chosen: string | null, name: string): Promise<string> {
  if (chosen !== NEW) return chosen ?? "";
  return (await call<Bucket>("storage", "/buckets", { method: "POST", body: { stage: "in", name } })).id;
}

async function createTable({ bucket, table, key }: Target, fileId: number): Promise<string> {
  const body = { name: table, dataFileId: fileId, primaryKey: key.split(",").map((each) => each.trim()).filter(Boolean).join(",") };
  const job = await finish(await call<StorageJob>("storage", `/buckets/${enc(bucket)}/tables-async`, { method: "POST", body }));
  return (job.results as { id: string }).id;
}

async function loadInto(tableId: string, fileId: number, isIncremental: boolean): Promise<string> {
  const body = { dataFileId: fileId, incremental: isIncremental ? 1 : 0 };
  await finish(await call<StorageJob>("storage", `/tables/${enc(tableId)}/import-async`, { method: "POST", body }));
  return tableId;
}
