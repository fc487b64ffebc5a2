import { Button, FileInput, Group, Modal, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useBuckets } from "../../shared/api/hooks";
import { finish, type Progress, uploadFile } from "../../shared/api/transfers";
import type { Bucket, StorageJob } from "../../shared/api/types";
import { bytes } from "../../shared/format";
import { Failure, tablePath, useScreenPath } from "../../shared/parts";
import { TransferBar, useTransfer } from "../../shared/Transfer";

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
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const transfer = useTransfer();
  const [file, setFile] = useState<File | null>(null);
  const [bucket, setBucket] = useState<string | null>(given ?? null);
  const [bucketName, setBucketName] = useState("uploads");
  const [name, setName] = useState("");
  const [key, setKey] = useState("");
  const [isIncremental, setIncremental] = useState(true);
  const chosen = bucket ?? (buckets.data?.length ? null : NEW);

  async function upload(progress: Progress, signal: AbortSignal): Promise<void> {
    const stored = await uploadFile(file!, progress, signal);
    progress(1, "Loading the rows into the table");
    const job = tableId ? await loadInto(tableId, stored.id, isIncremental) : await createTable({ bucket: await bucketOf(chosen, bucketName), table: name, key }, stored.id);
    const { results } = await finish(job, signal);
    await queries.invalidateQueries();
    onClose();
    void navigate({ to: screenPath(tablePath(tableId ?? (results as { id: string }).id)) as "/" });
  }

  function submit(event: FormEvent): void {
    event.preventDefault();
    if (file) void transfer.start(upload);
  }

  function choose(chosenFile: File | null): void {
    setFile(chosenFile);
    if (chosenFile && !name) setName(chosenFile.name.replace(/\.csv(\.gz)?$/i, "").replace(/[^A-Za-z0-9_]+/g, "_"));
  }

  return (
    <Modal opened onClose={onClose} title={tableId ? `Upload into ${tableId}` : "Upload a CSV file"} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={submit}>
        <Stack>
          <FileInput label="File" description="CSV with a header, plain or gzip; at most 2 GB" placeholder="Choose a file" accept=".csv,.gz,text/csv" value={file} onChange={choose} required />
          {file && <Text size="xs" c="dimmed">{bytes(file.size)}</Text>}
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
          {transfer.error && <Failure error={transfer.error} />}
          <TransferBar of={transfer} label="Progress of the upload" />
          <Group justify="flex-end"><Button type="submit" disabled={!file || !(tableId ?? chosen)} loading={Boolean(transfer.now)}>Upload</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

async function bucketOf(chosen: string | null, name: string): Promise<string> {
  if (chosen !== NEW) return chosen ?? "";
  return (await call<Bucket>("storage", "/buckets", { method: "POST", body: { stage: "in", name } })).id;
}

function createTable({ bucket, table, key }: Target, fileId: number): Promise<StorageJob> {
  const body = { name: table, dataFileId: fileId, primaryKey: key.split(",").map((each) => each.trim()).filter(Boolean).join(",") };
  return call<StorageJob>("storage", `/buckets/${enc(bucket)}/tables-async`, { method: "POST", body });
}

function loadInto(tableId: string, fileId: number, isIncremental: boolean): Promise<StorageJob> {
  const body = { dataFileId: fileId, incremental: isIncremental ? 1 : 0 };
  return call<StorageJob>("storage", `/tables/${enc(tableId)}/import-async`, { method: "POST", body });
}
