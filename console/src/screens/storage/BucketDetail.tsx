import { Text } from "@mantine/core";
import { useNavigate, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, useApi } from "../../shared/api/hooks";
import type { Bucket, Table } from "../../shared/api/types";
import { Confirm } from "../../shared/Confirm";
import { bytes, count } from "../../shared/format";
import { Facts, Loaded, Page, Section, useScreenPath, When } from "../../shared/parts";
import { Needs } from "../../shared/rights";
import { NewTable } from "./NewTable";
import { TableList } from "./Storage";
import { Upload } from "./Upload";

const NAMED = 8;

export function BucketDetail() {
  const { bucket: id = "" } = useParams({ strict: false });
  const bucket = useApi<Bucket>("storage", `/buckets/${enc(id)}`);
  const tables = useApi<Table[]>("storage", `/buckets/${enc(id)}/tables`);
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [open, setOpen] = useState<"upload" | "table" | "delete" | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Needs of={{ bucket: id }}><Page title={bucket.data?.displayName ?? id} actions={bucket.data && (
      <>
        <Act onClick={() => setOpen("upload")}>Upload CSV</Act>
        <Act variant="default" onClick={() => setOpen("table")}>New table</Act>
        <Act needs="buckets" variant="subtle" color="red" onClick={() => setOpen("delete")}>Delete</Act>
      </>
    )}>
      <Loaded of={bucket}>
        {(found) => (
          <>
            <Section title="Bucket">
              {found.description && <Text size="sm" mb="sm" className="wrap">{found.description}</Text>}
              <Facts of={[["Id", <span className="mono">{found.id}</span>], ["Stage", found.stage], ["Rows", count(found.rowsCount)], ["Size", bytes(found.dataSizeBytes)], ["Created", <When at={found.created} />], ["Changed", <When at={found.lastChangeDate} />]]} />
            </Section>
            <Section title="Tables"><Loaded of={tables}>{(all) => <TableList tables={all} />}</Loaded></Section>
          </>
        )}
      </Loaded>
      {open === "upload" && <Upload bucket={id} onClose={close} />}
      {open === "table" && <NewTable bucket={id} onClose={close} />}
      {open === "delete" && (
        <Confirm title={`Delete the bucket ${id}`} action="Delete the bucket" word={tables.data?.length ? id : ""} onClose={close} then={() => void navigate({ to: screenPath("storage") as "/" })}
          work={() => call("storage", `/buckets/${enc(id)}`, { method: "DELETE", query: { force: 1 } })}>
          <Lost bucket={bucket.data} tables={tables.data ?? []} />
        </Confirm>
      )}
    </Page></Needs>
  );
}

function Lost({ bucket, tables }: { bucket: Bucket | undefined; tables: Table[] }) {
  if (!tables.length) return <>The bucket has no tables, so no rows are lost.</>;
  const names = tables.slice(0, NAMED).map((each) => each.displayName).join(", ");
  return <><b>{count(tables.length)} tables</b> with {count(bucket?.rowsCount)} rows ({bytes(bucket?.dataSizeBytes)}) are lost: {names}{tables.length > NAMED ? " and others" : ""}.</>;
}
