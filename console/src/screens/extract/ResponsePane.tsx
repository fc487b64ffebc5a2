import { Badge, Group, SegmentedControl, Text } from "@mantine/core";
import { useState } from "react";
import { Empty, Section } from "../../shared/parts";
import type { Document, Trial } from "./actions";
import { addColumn, columnsOf, dataFieldOf, isColumnOf, type Keys, setDataField } from "./document";
import { JsonTree, type Pick } from "./JsonTree";

/** The response as a tree. An array becomes the records; a value in a record becomes a column. */
export function ResponsePane({ document, job, onChange, trial }: { document: Document; job: Keys; onChange: (document: Document) => void; trial: Trial | undefined }) {
  const [at, setAt] = useState("1");
  const page = trial?.pages[Number(at) - 1] ?? trial?.pages[0];
  const records = dataFieldOf(document, job);
  const columns = columnsOf(document, job);
  function pick({ path, kind }: Pick): void {
    const inside = records && within(path, records);
    if (inside) onChange(addColumn(document, job, inside, kind !== "value"));
    else if (kind === "array") onChange(setDataField(document, job, path));
  }
  return (
    <Section title="Response" actions={
      <Group gap="xs">
        {page && <Badge variant="light" tt="none" className="status" color={page.response.status_code < 400 ? "teal" : "red"}>{page.response.status_code} {page.response.reason}</Badge>}
        {trial && trial.pages.length > 1 && <SegmentedControl size="xs" value={at} onChange={setAt} data={[{ value: "1", label: "Page 1" }, { value: "2", label: "Page 2" }]} />}
      </Group>
    }>
      <div className="pane">
        {page ? (
          <>
            <Text size="xs" c="dimmed" mb="xs">Click an array to read its records, or a value in a record to make it a column.</Text>
            <JsonTree value={page.response.data} lengths={page.response.lengths} records={records} isMapped={(path) => columns.some((each) => isColumnOf(each, path))} onPick={pick} />
          </>
        ) : <Empty title="Nothing was read yet"><b>Try</b> asks the API.</Empty>}
      </div>
    </Section>
  );
}

/** The path in a record, if the path leads into one. */
export function within(path: Keys, records: Keys): Keys | undefined {
  const isBelow = path.length > records.length + 1 && records.every((key, at) => String(path[at]) === String(key)) && typeof path[records.length] === "number";
  return isBelow ? path.slice(records.length + 1) : undefined;
}
