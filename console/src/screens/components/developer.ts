// The developer API, with a login of its own: an account of a vendor, not a token of the project. The login lives as long
// as the page, and is stored nowhere.
import { useSyncExternalStore } from "react";
import { readError, urlOf } from "../../shared/api/client";

export interface Profile {
  name: string;
  vendors: { id: string; name: string }[];
  isAdmin: boolean;
}

export interface AppVersion {
  version: number;
  tag: string;
  createdOn: string;
  isCurrent: boolean;
}

let login = "";
const listeners = new Set<() => void>();

/** The profile; or a session, which the code of a second factor completes. */
export async function signIn(proof: { email: string; password: string } | { email: string; session: string; code: string }): Promise<Profile | { session: string }> {
  const found = await ask<{ token: string } | { session: string }>("/auth/login", "POST", proof);
  if ("session" in found) return found;
  login = found.token;
  listeners.forEach((tell) => tell());
  return ask<Profile>("/auth/profile");
}

export function useLogin(): string {
  return useSyncExternalStore((tell) => {
    listeners.add(tell);
    return () => listeners.delete(tell);
  }, () => login);
}

export async function ask<T>(path: string, method = "GET", body?: unknown): Promise<T> {
  const isFile = body instanceof Blob;
  const type = isFile ? "application/zip" : "application/json";
  const headers: Record<string, string> = { ...(login && { Authorization: login }), ...(body !== undefined && { "Content-Type": type }) };
  const response = await fetch((await urlOf("developer")) + path, { method, headers, ...(body !== undefined && { body: isFile ? body : JSON.stringify(body) }) });
  const text = await response.text();
  if (!response.ok) throw readError(response.status, sentenceOf(text));
  return (text ? JSON.parse(text) : undefined) as T;
}

/** Errors of this API are called `errorMessage`. */
function sentenceOf(text: string): string {
  try {
    const { errorMessage, requestId } = JSON.parse(text) as { errorMessage?: string; requestId?: string };
    return errorMessage ? JSON.stringify({ error: errorMessage, exceptionId: requestId }) : text;
  } catch {
    return text;
  }
}
