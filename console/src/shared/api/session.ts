// The token of this browser tab. It is kept in session storage only, and never in an address.
import { useSyncExternalStore } from "react";

const KEY = "penstock.token";
const listeners = new Set<() => void>();

export function readToken(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

export function keepToken(token: string): void {
  if (token) sessionStorage.setItem(KEY, token);
  else sessionStorage.removeItem(KEY);
  listeners.forEach((tell) => tell());
}

export function useToken(): string {
  return useSyncExternalStore((tell) => {
    listeners.add(tell);
    return () => listeners.delete(tell);
  }, readToken);
}
