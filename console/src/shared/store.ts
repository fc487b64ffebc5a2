import { useSyncExternalStore } from "react";

/** A value outside of the components, which are drawn again when it changes. */
export function makeStore<T>(initial: T) {
  const listeners = new Set<() => void>();
  let current = initial;
  const get = (): T => current;
  function subscribe(listener: () => void): () => void {
    listeners.add(listener);
    return () => listeners.delete(listener);
  }
  function set(next: T): void {
    current = next;
    listeners.forEach((tell) => tell());
  }
  return { get, set, use: (): T => useSyncExternalStore(subscribe, get) };
}
