// What all editors of a configuration share: its draft, what is wrong with it, and the buttons that save it or undo it.
import { Alert, Button, Group, Stack, TextInput } from "@mantine/core";
import { type ReactNode, useMemo } from "react";
import { Act } from "../../shared/Act";
import { useChange } from "../../shared/api/hooks";
import { findFullLoads } from "../../shared/fullLoads";
import { saveDraft } from "../../shared/saving";
import { findProblems } from "../../shared/schema";
import { useDraft } from "../../shared/useDraft";

export interface Stored {
  path: string;
  title: string;
  value: unknown;
  version: number;
  schema?: unknown;
}

export interface Text {
  text: string;
  setText: (text: string) => void;
  /** Why the text is not JSON; empty if it is. */
  error: string;
  save: () => void;
}

/** What its schema says against the document is shown, and does not forbid to save it. */
export function Editing({ path, title, value, version, schema, children }: Stored & { children: (text: Text) => ReactNode }) {
  const saved = useMemo(() => JSON.stringify(value ?? {}, null, 2), [value]);
  const { draft, text, why, isChanged, setText, change, discard } = useDraft({ path, title, saved, version });
  const store = useChange(async () => draft && saveDraft(draft));
  const error = parseError(text);
  const problems = error ? [] : [...findProblems(text, schema).map((each) => each.message), ...findFullLoads(text)].slice(0, 5);
  const save = (): void => { if (!error && isChanged) store.mutate(undefined); };
  return (
    <Stack>
      {children({ text, setText, error, save })}
      {error && <Alert color="red" variant="light" role="alert" title={error} />}
      {draft && draft.version !== version && <Alert color="yellow" variant="light" role="status" title={`You began with version ${draft.version}; version ${version} is stored now. Saving shows both if they differ.`} />}
      {problems.length > 0 && (
        <Alert color="yellow" variant="light" title="The component may refuse this">
          {problems.map((problem) => <div key={problem}>{problem}</div>)}
        </Alert>
      )}
      <Group>
        <TextInput aria-label="What changed" placeholder="What changed, for the list of versions" value={why} onChange={(event) => change({ why: event.currentTarget.value })} disabled={!isChanged} flex="1 1 260px" />
        <Button variant="default" disabled={!isChanged} onClick={discard}>Undo</Button>
        <Act disabled={Boolean(error) || !isChanged} loading={store.isPending} onClick={save}>Save</Act>
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
