// The tokens that were entered, by the header that they are sent in. They are gone with the page.
import { useSyncExternalStore } from "react";

const tokens = new Map<string, string>();
const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function useToken(header: string): [string, (token: string) => void] {
  const token = useSyncExternalStore(subscribe, () => tokens.get(header) ?? "");
  const keep = (value: string): void => {
    tokens.set(header, value.trim());
    listeners.forEach((listener) => listener());
  };
  return [token, keep];
}
