// The address of the page: `?service=queue#create_job` is an operation, and survives a reload.
import { useEffect, useState } from "react";

export interface Selection { service: string; operation: string }

export const addressOf = (service: string, operation = ""): string =>
  `?service=${encodeURIComponent(service)}${operation ? `#${encodeURIComponent(operation)}` : ""}`;

function readSelection(): Selection {
  const { search, hash } = window.location;
  return { service: new URLSearchParams(search).get("service") ?? "", operation: decode(hash.slice(1)) };
}

/** A hash that is not encoded properly names no operation. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return "";
  }
}

export function useSelection(): [Selection, (selection: Selection) => void] {
  const [selection, setSelection] = useState(readSelection);
  useEffect(() => {
    const follow = (): void => setSelection(readSelection());
    window.addEventListener("popstate", follow);
    window.addEventListener("hashchange", follow);
    return () => {
      window.removeEventListener("popstate", follow);
      window.removeEventListener("hashchange", follow);
    };
  }, []);
  const go = (to: Selection): void => {
    window.history.pushState(null, "", window.location.pathname + addressOf(to.service, to.operation));
    setSelection(to);
    window.scrollTo(0, 0);
  };
  return [selection, go];
}
