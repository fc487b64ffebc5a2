// The text of an editor: what is stored, or the draft of it.
import { useLocation } from "@tanstack/react-router";
import { type Draft, dropDraft, findDraft, keepDraft, keyOf, useDrafts } from "./drafts";

type Begin = Pick<Draft, "title" | "saved" | "version"> & { path?: string; key?: string; name?: string };

export function useDraft({ key: given, ...begin }: Begin) {
  const place = useLocation({ select: ({ pathname }) => pathname });
  const key = keyOf(place, given ?? begin.path ?? "");
  const draft = useDrafts().find((each) => each.key === key);
  const change = (part: Partial<Draft>): void => {
    const next = { ...begin, text: begin.saved, ...findDraft(key), ...part, key, place };
    if (next.text === begin.saved) dropDraft(key);
    else keepDraft(next);
  };
  return {
    draft,
    text: draft?.text ?? begin.saved,
    why: draft?.why ?? "",
    isChanged: draft !== undefined,
    setText: (text: string) => change({ text }),
    change,
    discard: () => dropDraft(key),
  };
}

/** The drafts of a configuration and of its rows. */
export function useDraftsOf(path: string): Draft[] {
  const pathname = useLocation({ select: (location) => location.pathname });
  const key = keyOf(pathname, path);
  return useDrafts().filter((each) => each.key === key || each.key.startsWith(`${key}/`));
}
