// The sign-in of the console, for "Try it": the session is in a cookie that no script reads, and the access token that it gives is in
// the memory of this page only. The cookie belongs to the host of the console, so a portal on another host does not have it.
import { useEffect, useState } from "react";
import { makeStore } from "../shared/store";
import type { Entry } from "./documents";

export interface Person { user: { id: number; name: string; email: string }; projects: { id: number; name: string }[] }
interface Access { text: string; until: number }

const EARLY = 60_000;
const person = makeStore<Person | undefined>(undefined);
let access: Access | undefined;

/** Who is signed in; nobody as long as that is not known. */
export function usePerson(entry: Entry | undefined): Person | undefined {
  const found = person.use();
  const url = entry && authUrl(entry);
  const [asked, setAsked] = useState("");
  useEffect(() => {
    if (!url || asked === url) return;
    setAsked(url);
    findPerson(url).then(person.set, () => person.set(undefined));
  }, [url, asked]);
  return found;
}

/** A token that is valid for a while; none if the session has ended. */
export async function accessToken(entry: Entry): Promise<string> {
  if (!access || access.until < Date.now()) access = await requestAccess(authUrl(entry) ?? "");
  if (!access) person.set(undefined);
  return access?.text ?? "";
}

const authUrl = (entry: Entry): string | undefined =>
  new URL(entry.apiUrl).origin === window.location.origin ? `${entry.apiUrl}/v1/auth` : undefined;

async function findPerson(url: string): Promise<Person | undefined> {
  const session = await fetch(`${url}/session`, { credentials: "same-origin" });
  if (!session.ok || !((await session.json()) as { isSignedIn: boolean }).isSignedIn) return undefined;
  access = await requestAccess(url);
  if (!access) return undefined;
  const response = await fetch(`${url}/me`, { credentials: "omit", headers: { Authorization: `Bearer ${access.text}` } });
  return response.ok ? ((await response.json()) as Person) : undefined;
}

async function requestAccess(url: string): Promise<Access | undefined> {
  const response = await fetch(`${url}/session/token`, { method: "POST", credentials: "same-origin" });
  if (!response.ok) return undefined;
  const { accessToken: text, expiresIn } = (await response.json()) as { accessToken: string; expiresIn: number };
  return { text, until: Date.now() + expiresIn * 1000 - EARLY };
}
