import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { useMemo } from "react";
import { Act } from "../../shared/Act";
import { useChange } from "../../shared/api/hooks";
import { Editor } from "../../shared/Editor";
import { SchemaForm } from "../../shared/form/SchemaForm";
import { findFullLoads } from "../../shared/fullLoads";
import { Empty } from "../../shared/parts";
import { saveDraft } from "../../shared/saving";
import { findProblems, type Schema } from "../../shared/schema";
import { useDraft } from "../../shared/useDraft";

interface Props {
  path: string;
  title: string;
  value: unknown;
  version: number;
  schema?: unknown;
}

/** A configuration or a row, as a form and as JSON, which are always the same document: what its schema says against it is shown, and does not forbid to save it. */
export function JsonForm({ path, title, value, version, schema }: Props) {
  const saved = useMemo(() => JSON.stringify(value ?? {}, null, 2), [value]);
  const { draft, text, why, isChanged, setText, change, discard } = useDraft({ path, title, saved, version });
  const save = useChange(async () => draft && saveDraft(draft));
  const wrong = parseError(text);
  const problems = wrong ? [] : [...findProblems(text, schema).map((each) => each.message), ...findFullLoads(text)].slice(0, 5);
  return (
    <Stack>
      <div className={schema ? "beside" : undefined}>
        {Boolean(schema) && <div role="group" aria-label="Settings">{wrong ? <Empty title="The form comes back when the JSON is valid" /> : <SchemaForm schema={schema as Schema} text={text} onChange={setText} />}</div>}
        <Editor value={text} onChange={setText} language="json" schema={schema} label="Configuration as JSON" height="640px" onRun={() => !wrong && isChanged && save.mutate(undefined)} />
      </div>
      {wrong && <Alert color="red" variant="light" role="alert" title={wrong} />}
      {draft && draft.version !== version && <Alert color="yellow" variant="light" role="status" title={`You began with version ${draft.version}; version ${version} is stored now. Saving shows both if they differ.`} />}
      {problems.length > 0 && (
        <Alert color="yellow" variant="light" title="The component may refuse this">
          {problems.map((problem) => <div key={problem}>{problem}</div>)}
        </Alert>
      )}
      <Group>
        <TextInput aria-label="What changed" placeholder="What changed, for the list of versions" value={why} onChange={(event) => change({ why: event.currentTarget.value })} disabled={!isChanged} flex="1 1 260px" />
        <Button variant="default" disabled={!isChanged} onClick={discard}>Undo</Button>
        <Act disabled={Boolean(wrong) || !isChanged} loading={save.isPending} onClick={() => save.mutate(undefined)}>Save</Act>
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
