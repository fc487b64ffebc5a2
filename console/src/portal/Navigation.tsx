// All services; the operations of the chosen one; and a search over those of all.
import { Kbd, ScrollArea, Text, TextInput } from "@mantine/core";
import { type KeyboardEvent, type MouseEvent, useEffect, useMemo, useRef, useState } from "react";
import { addressOf, type Selection } from "./address";
import { type Document, type Entry, type Found, groupOperations, listOperations } from "./documents";
import { Method, Words } from "./parts";
import { search } from "./search";

const MOST = 80;
/** Operations of a service whose groups are all open. */
const FEW = 20;

interface Props { entries: Entry[]; documents: Record<string, Document>; current: string; operation: string; onGo: (to: Selection) => void }

export function Navigation({ entries, documents, current, operation, onGo }: Props) {
  const [text, setText] = useState("");
  const input = useRef<HTMLInputElement>(null);
  useSlash(input);
  const all = useMemo(() => Object.fromEntries(Object.entries(documents).map(([id, each]) => [id, listOperations(id, each)])), [documents]);
  const results = useMemo(() => search(entries.flatMap((entry) => all[entry.id] ?? []), text), [entries, all, text]);
  return (
    <div className="portal-nav" onKeyDown={moveFocus}>
      <TextInput ref={input} value={text} onChange={(event) => setText(event.currentTarget.value)} placeholder="Search all operations" aria-label="Search all operations" type="search" mb="xs" rightSection={<Kbd size="xs">/</Kbd>} />
      <ScrollArea flex={1} type="auto" offsetScrollbars="y" viewportProps={{ tabIndex: -1 }}>
        {text.trim() ? <Results found={results} onGo={onGo} /> : (
          <ul className="portal-services">
            {entries.map((entry) => (
              <li key={entry.id}>
                <Go to={{ service: entry.id, operation: "" }} isCurrent={entry.id === current && !operation} onGo={onGo}><b>{entry.name}</b></Go>
                {entry.id === current && <Groups found={all[entry.id] ?? []} operation={operation} onGo={onGo} />}
              </li>
            ))}
          </ul>
        )}
      </ScrollArea>
    </div>
  );
}

function Results({ found, onGo }: { found: Found[]; onGo: (to: Selection) => void }) {
  return (
    <>
      <Text size="sm" c="dimmed" px={8} role="status">{found.length > MOST ? `The first ${MOST} of ${found.length} operations` : `${found.length} operations`}</Text>
      <Operations found={found.slice(0, MOST)} operation="" onGo={onGo} withService />
    </>
  );
}

/** The operations by resource; those of the chosen operation are open, and all of them if there are few. */
function Groups({ found, operation, onGo }: { found: Found[]; operation: string; onGo: (to: Selection) => void }) {
  const groups = groupOperations(found);
  return groups.map(([resource, each]) => {
    const isCurrent = each.some(({ id }) => id === operation);
    return (
      <details key={`${resource} ${isCurrent}`} className="portal-group" open={isCurrent || found.length <= FEW}>
        <summary>{resource} <small>{each.length}</small></summary>
        <Operations found={each} operation={operation} onGo={onGo} />
      </details>
    );
  });
}

function Operations({ found, operation, onGo, withService = false }: { found: Found[]; operation: string; onGo: (to: Selection) => void; withService?: boolean }) {
  return (
    <ul className="portal-operations">
      {found.map((each) => (
        <li key={`${each.service} ${each.id}`}>
          <Go to={{ service: each.service, operation: each.id }} isCurrent={each.id === operation} onGo={onGo}>
            <Method of={each.method} />
            <span className="wrap"><Words of={each.operation.summary} /><small className="mono">{withService ? `${each.service} ` : ""}{each.path}</small></span>
          </Go>
        </li>
      ))}
    </ul>
  );
}

/** A real link, so that it opens in another tab too. */
export function Go({ to, isCurrent = false, onGo, children }: { to: Selection; isCurrent?: boolean; onGo: (to: Selection) => void; children: React.ReactNode }) {
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    onGo(to);
  };
  return <a href={window.location.pathname + addressOf(to.service, to.operation)} onClick={follow} aria-current={isCurrent ? "page" : undefined}>{children}</a>;
}

function moveFocus(event: KeyboardEvent<HTMLDivElement>): void {
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const stops = [...event.currentTarget.querySelectorAll<HTMLElement>("input, summary, a")].filter((each) => each.checkVisibility());
  const next = stops[stops.indexOf(document.activeElement as HTMLElement) + step];
  if (next) { event.preventDefault(); next.focus(); }
}

function useSlash(input: React.RefObject<HTMLInputElement | null>): void {
  useEffect(() => {
    const focus = (event: globalThis.KeyboardEvent): void => {
      const isTyping = event.target instanceof HTMLElement && event.target.matches("input, textarea");
      if (event.key === "/" && !isTyping) { event.preventDefault(); input.current?.focus(); }
    };
    window.addEventListener("keydown", focus);
    return () => window.removeEventListener("keydown", focus);
  }, [input]);
}
