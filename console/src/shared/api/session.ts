// Who has signed in. A person has a session in a cookie that no script reads, and an access token that is only in the
// memory of the page; a Storage token is in session storage until the tab is closed. Nothing is in an address.
import { forgetDrafts } from "../drafts";
import { makeStore } from "../store";
import { shownProject, STORAGE_URL } from "./address";
import { reach, reachOk, readError } from "./reach";

/** `unknown` until the stack has said whether the browser has a session. */
export type Session = "unknown" | "nobody" | "token" | "person";

interface Access {
  text: string;
  until: number;
}

export const AUTH_URL = `${STORAGE_URL}/v1/auth`;
const KEY = "penstock.token";
const EARLY = 60_000;
const session = makeStore<Session>(readToken() ? "token" : "unknown");
let access: Promise<Access | null> | undefined;
let shownUser: number | undefined;
let singleSignOn = false;

export const useSession = session.use;
export const hasSingleSignOn = (): boolean => singleSignOn;

export function readToken(): string {
  return sessionStorage.getItem(KEY) ?? "";
}

/** Ask the stack, once, whether the browser has a session. */
export async function findSession(): Promise<void> {
  const response = await reachOk(`${AUTH_URL}/session`);
  const { isSignedIn, hasSingleSignOn } = (await response.json()) as { isSignedIn: boolean; hasSingleSignOn: boolean };
  singleSignOn = hasSingleSignOn;
  if (["unknown", "person"].includes(session.get())) session.set(isSignedIn ? "person" : "nobody");
}

/** With the session that the browser has now. */
export function enter(): void {
  access = shownUser = undefined;
  session.set("person");
}

export function enterWithToken(token: string): void {
  sessionStorage.setItem(KEY, token);
  session.set("token");
}

/** The page shows what this person may see. */
export function showsUser(id: number): void {
  shownUser = id;
}

/** The session of a person is revoked; then what the tab has kept is forgotten. */
export async function signOut(): Promise<void> {
  if (session.get() === "person") await reachOk(`${AUTH_URL}/session/end`, { method: "POST" });
  forget();
}

function forget(): void {
  forgetDrafts();
  sessionStorage.clear();
  access = shownUser = undefined;
  session.set("nobody");
}

/** What a request proves itself with; none if nobody has signed in. */
export async function credentials(): Promise<Record<string, string>> {
  if (session.get() !== "person") return { "X-StorageApi-Token": readToken() };
  const token = await accessToken();
  return token ? { Authorization: `Bearer ${token}`, "X-KBC-ProjectId": shownProject() } : {};
}

/** After a request was refused: whether the session is valid, and has another access token now. If not, nobody is signed in. */
export async function renew(): Promise<boolean> {
  access = undefined;
  if (session.get() === "person" && (await accessToken())) return true;
  forget();
  return false;
}

async function accessToken(): Promise<string> {
  access ??= requestAccess().catch((error: unknown) => {
    access = undefined;
    throw error;
  });
  const found = await access;
  if (found && found.until > Date.now()) return found.text;
  access = undefined;
  return found ? accessToken() : "";
}

/** None if there is no session. A server that is busy or fails says nothing about the session. */
async function requestAccess(): Promise<Access | null> {
  const response = await reach(`${AUTH_URL}/session/token`, { method: "POST" });
  if (response.status === 401 || response.status === 403) return null;
  if (!response.ok) throw readError(response.status, await response.text());
  const { accessToken: text, expiresIn } = (await response.json()) as { accessToken: string; expiresIn: number };
  if (shownUser !== undefined) await checkUser(text, shownUser);
  return { text, until: Date.now() + expiresIn * 1000 - EARLY };
}

/** Another tab may have signed in another person: then nothing is sent in that name, and the page is loaded again. */
async function checkUser(token: string, shown: number): Promise<void> {
  const response = await reachOk(`${AUTH_URL}/me`, { headers: { Authorization: `Bearer ${token}` } });
  const { user } = (await response.json()) as { user: { id: number } };
  if (user.id === shown) return;
  location.reload();
  await new Promise(() => undefined); // until the page is gone
}
