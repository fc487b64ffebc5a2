// Stores a draft. What somebody else has stored meanwhile is never overwritten unseen: the server compares the versions.
import { ApiError, call } from "./api/client";
import { type Draft, dropDraft, NotSaved } from "./drafts";
import { makeStore } from "./store";

export interface Stored {
  id: string;
  version: number;
  configuration?: unknown;
  changeDescription?: string;
  currentVersion?: { creatorToken: { description: string } };
}

export interface Conflict {
  draft: Draft;
  theirs: Stored;
  /** With the text that is to be stored; undefined if nothing is. */
  answer: (text: string | undefined) => void;
}

const conflict = makeStore<Conflict | null>(null);
export const useConflict = conflict.use;
export const toText = (value: unknown): string => JSON.stringify(value ?? {}, null, 2);

export async function saveDraft(draft: Draft): Promise<Stored> {
  const configuration = parse(draft);
  const stored = draft.name === undefined ? await replace(draft, configuration, draft.version) : await add(draft, configuration);
  dropDraft(draft.key);
  return stored;
}

const add = (draft: Draft, configuration: unknown): Promise<Stored> => call<Stored>("storage", draft.path ?? "", { method: "POST", body: { name: draft.name, configuration } });

async function replace(draft: Draft, configuration: unknown, version: number): Promise<Stored> {
  const body = { configuration, changeDescription: draft.why || "Changed in the console" };
  try {
    return await call<Stored>("storage", draft.path ?? "", { method: "PUT", body, headers: { "If-Match": `"${version}"` } });
  } catch (error) {
    if (!(error instanceof ApiError && error.status === 409)) throw error;
    const theirs = await call<Stored>("storage", draft.path ?? "");
    // A change of its name or of its rows is a version too, and loses nothing of this text.
    if (toText(theirs.configuration) === draft.saved) return replace(draft, configuration, theirs.version);
    return merge(draft, theirs);
  }
}

async function merge(draft: Draft, theirs: Stored): Promise<Stored> {
  const text = await new Promise<string | undefined>((answer) => conflict.set({ draft, theirs, answer }));
  conflict.set(null);
  if (text === undefined) throw new NotSaved("Nothing was saved.");
  const merged = { ...draft, text, saved: toText(theirs.configuration), version: theirs.version };
  return replace(merged, parse(merged), theirs.version);
}

function parse({ text, title }: Draft): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw new NotSaved(`${title} is not valid JSON: ${(error as Error).message}`);
  }
}
