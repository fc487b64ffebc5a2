import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { useMemo, useState } from "react";
import { call } from "../../shared/api/client";
import { useChange } from "../../shared/api/hooks";
import { Editor } from "../../shared/Editor";
import { SchemaForm } from "../../shared/form/SchemaForm";
import { Empty } from "../../shared/parts";
import { findProblems, type Schema } from "../../shared/schema";

/** A configuration or a row, as a form and as JSON, which are always the same document: what its schema says against it is shown, and does not forbid to save it. */
export function JsonForm({ path, value, schema, onSaved }: { path: string; value: unknown; schema?: unknown; onSaved?: () => void }) {
  const saved = useMemo(() => JSON.stringify(value ?? {}, null, 2), [value]);
  const [text, setText] = useState(saved);
  const [why, setWhy] = useState("");
  const save = useChange(
    () => call("storage", path, { method: "PUT", body: { configuration: JSON.parse(text) as unknown, changeDescription: why || "Changed in the console" } }),
    onSaved,
  );
  const wrong = parseError(text);
  const problems = wrong ? [] : findProblems(text, schema).slice(0, 5);
  return (
    <Stack>
      <div className={schema ? "beside" : undefined}>
        {Boolean(schema) && <div role="group" aria-label="Settings">{wrong ? <Empty title="The form comes back when the JSON is valid" /> : <SchemaForm schema={schema as Schema} text={text} onChange={setText} />}</div>}
        <Editor value={text} onChange={setText} language="json" schema={schema} label="Configuration as JSON" height="640px" onRun={() => !wrong && text !== saved && save.mutate(undefined)} />
      </div>
      {wrong && <Alert color="red" variant="light" role="alert" title={wrong} />}
      {problems.length > 0 && (
        <Alert color="yellow" variant="light" title="The component may refuse this">
          {problems.map((problem) => <div key={problem.message}>{problem.message}</div>)}
        </Alert>
      )}
      <Group>
        <TextInput aria-label="What changed" placeholder="What changed, for the list of versions" value={why} onChange={(event) => setWhy(event.currentTarget.value)} flex="1 1 260px" />
        <Button variant="default" disabled={text === saved} onClick={() => setText(saved)}>Undo</Button>
        <Button disabled={Boolean(wrong) || text === saved} loading={save.isPending} onClick={() => save.mutate(undefined)}>Save</Button>
      </Group>
    </Stack>
  );
}

function parseError(text: string): string {
  try {
    JSON.parse(text);
    return "";
  } catch (error) {
    return `This is not valid JSON: ${(error as Error).message}`;
  }
}
