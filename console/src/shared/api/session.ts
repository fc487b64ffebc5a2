// Who has signed in. A person has a session in a cookie that no script reads, and an access token that is only in the
// memory of the page; a Storage token is in session storage until the tab is closed. Nothing is in an address.
import { useSyncExternalStore } from "react";
import { shownProject, STORAGE_URL } from "./address";

/** `unknown` until the stack has said whether the browser has a session. */
export type Session = "unknown" | "nobody" | "token" | "person";

interface Access {
  text: string;
  until: number;
}

export const AUTH_URL = `${STORAGE_URL}/v1/auth`;
const KEY = "penstock.token";
const EARLY = 60_000;
const listeners = new Set<() => void>();
let current: Session = readToken() ? "token" : "unknown";
let access: Promise<Access | null> | undefined;
let singleSignOn = false;

export function readToken(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

export const hasSingleSignOn = (): boolean => singleSignOn;

/** Ask the stack, once, whether the browser has a session. */
export async function findSession(): Promise<void> {
  const { isSignedIn, hasSingleSignOn } = (await (await fetch(`${AUTH_URL}/session`)).json()) as { isSignedIn: boolean; hasSingleSignOn: boolean };
  singleSignOn = hasSingleSignOn;
  if (current === "unknown" || current === "person") become(isSignedIn ? "person" : "nobody");
}

/** With the session that the browser has now. */
export function enter(): void {
  access = undefined;
  become("person");
}

export function enterWithToken(token: string): void {
  sessionStorage.setItem(KEY, token);
  become("token");
}

/** What the tab has kept is forgotten; the session of a person is revoked. */
export async function signOut(): Promise<void> {
  if (current === "person") await fetch(`${AUTH_URL}/session/end`, { method: "POST" });
  forget();
}

function forget(): void {
  sessionStorage.clear();
  access = undefined;
  become("nobody");
}

/** What a request proves itself with; none if nobody has signed in. */
export async function credentials(): Promise<Record<string, string>> {
  if (current !== "person") return { "X-StorageApi-Token": readToken() };
  const token = await accessToken();
  return token ? { Authorization: `Bearer ${token}`, "X-KBC-ProjectId": shownProject() } : {};
}

/** After a request was refused: whether the session is valid, and has another access token now. If not, nobody is signed in. */
export async function renew(): Promise<boolean> {
  access = undefined;
  if (current === "person" && (await accessToken())) return true;
  forget();
  return false;
}

async function accessToken(): Promise<string> {
  access ??= requestAccess();
  const found = await access;
  if (found && found.until > Date.now()) return found.text;
  access = undefined;
  return found ? accessToken() : "";
}

async function requestAccess(): Promise<Access | null> {
  const response = await fetch(`${AUTH_URL}/session/token`, { method: "POST" });
  if (!response.ok) return null;
  const { accessToken: text, expiresIn } = (await response.json()) as { accessToken: string; expiresIn: number };
  return { text, until: Date.now() + expiresIn * 1000 - EARLY };
}

function become(next: Session): void {
  current = next;
  listeners.forEach((tell) => tell());
}

export function useSession(): Session {
  return useSyncExternalStore((tell) => {
    listeners.add(tell);
    return () => listeners.delete(tell);
  }, () => current);
}
