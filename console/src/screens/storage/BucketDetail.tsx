import { Button, Text } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { enc, useApi } from "../../shared/api/hooks";
import type { Bucket, Table } from "../../shared/api/types";
import { bytes, count } from "../../shared/format";
import { Facts, Loaded, Page, Section, When } from "../../shared/parts";
import { TableList } from "./Storage";
import { Upload } from "./Upload";

export function BucketDetail() {
  const { bucket: id = "" } = useParams({ strict: false });
  const bucket = useApi<Bucket>("storage", `/buckets/${enc(id)}`);
  const tables = useApi<Table[]>("storage", `/buckets/${enc(id)}/tables`);
  const [isUpload, setUpload] = useState(false);
  return (
    <Page title={bucket.data?.displayName ?? id} actions={<Button onClick={() => setUpload(true)}>Upload CSV</Button>}>
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
      {isUpload && <Upload bucket={id} onClose={() => setUpload(false)} />}
    </Page>
  );
}
