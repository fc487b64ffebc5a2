// Edits that are not saved. They are in the session storage of the tab: a reload keeps them, signing out forgets them.
import { makeStore } from "./store";

export interface Draft {
  /** What is edited, in its project and branch. */
  key: string;
  /** The screen on which it is edited. */
  place: string;
  title: string;
  text: string;
  /** What was stored when the edit began, and its version. */
  saved: string;
  version: number;
  /** The configuration or row in Storage; none for what only its own form can save. */
  path?: string;
  /** Of a configuration that is not stored yet. */
  name?: string;
  /** What changed, for the list of versions. */
  why?: string;
  /** What its screen shows beside it. */
  beside?: unknown;
}

const STORED = "penstock.drafts";
const drafts = makeStore<Draft[]>(read());

export const useDrafts = drafts.use;
export const findDraft = (key: string): Draft | undefined => drafts.get().find((each) => each.key === key);
export const draftsAt = (place: string): Draft[] => drafts.get().filter((each) => each.place === place);

/** All of them: those of other screens are forgotten with the session, too. */
export const draftsHere = (): Draft[] => drafts.get();

export const keepDraft = (draft: Draft): void => write([...others(draft.key), draft]);

export function dropDraft(key: string): void {
  if (findDraft(key)) write(others(key));
}

/** What is not there any more is not edited any more, nor is what is in it. */
export const dropDraftsOf = (path: string): void => write(drafts.get().filter((each) => each.path !== path && !each.path?.startsWith(`${path}/`)));

export const forgetDrafts = (): void => drafts.set([]);

/** A configuration of the same path in another project or branch is another one. */
export const keyOf = (pathname: string, path: string): string => `${/\/projects\/[^/]+(\/branch\/\d+)?/.exec(pathname)?.[0] ?? ""} ${path}`;

const question = makeStore<{ drafts: Draft[]; answer: (leaves: boolean) => void } | null>(null);
export const useQuestion = question.use;

/** Whether these drafts may be left: they are saved or discarded then. */
export async function askToLeave(drafts: Draft[]): Promise<boolean> {
  if (!drafts.length) return true;
  const leaves = await new Promise<boolean>((answer) => question.set({ drafts, answer }));
  question.set(null);
  return leaves;
}

/** An edit that was neither saved nor refused: its editor is still open. */
export class NotSaved extends Error {}

const others = (key: string): Draft[] => drafts.get().filter((each) => each.key !== key);

function write(next: Draft[]): void {
  drafts.set(next);
  try {
    sessionStorage.setItem(STORED, JSON.stringify(next));
  } catch {
    // The storage is full: the drafts are kept until the page is left, and leaving asks.
  }
}

function read(): Draft[] {
  try {
    return JSON.parse(sessionStorage.getItem(STORED) ?? "[]") as Draft[];
  } catch {
    return [];
  }
}
