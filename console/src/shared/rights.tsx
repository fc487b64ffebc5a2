// What a token may do, as `verify` says it, and the reason if it may not. The server decides: this only says what is shown.
import { createContext, type ReactNode, useContext } from "react";
import { useProject } from "./api/hooks";
import type { Token } from "./api/types";

export type Need =
  | "change" // anything: members who only read may not
  | "buckets" // all buckets and configurations
  | "tokens"
  | "schedules"
  | { component: string; runs?: boolean }
  | { bucket: string };

const Needed = createContext<Need>("change");

/** What the controls in a part of a screen need, unless they say it themselves. */
export function Needs({ of, children }: { of: Need; children: ReactNode }) {
  return <Needed.Provider value={of}>{children}</Needed.Provider>;
}

/** Why the caller may not do it; undefined if it may. */
export function useRefusal(need?: Need): string | undefined {
  const { data } = useProject();
  const usual = useContext(Needed);
  return data && refuse(data, need ?? usual);
}

function refuse(token: Token, need: Need): string | undefined {
  const role = token.admin?.role;
  if (role === "guest" || role === "readOnly") return `Your role in this project only reads: ${role === "guest" ? "guest" : "read only"}.`;
  const all = token.isMasterToken || token.canManageBuckets;
  if (need === "change" || (all && need !== "tokens" && need !== "schedules")) return undefined;
  if (need === "buckets") return "This token may not manage all buckets and configurations.";
  if (need === "tokens") return token.isMasterToken || token.canManageTokens ? undefined : "This token may not manage tokens.";
  if (need === "schedules") return token.isMasterToken ? undefined : "Only members of the project change schedules; this is a token of a program.";
  if ("bucket" in need) return ["write", "manage"].includes(token.bucketPermissions[need.bucket] ?? "") ? undefined : `This token may not write to the bucket ${need.bucket}.`;
  return refuseComponent(token, need.component, need.runs ?? false);
}

/** Without a name: any component. */
function refuseComponent({ componentAccess }: Token, component: string, runs: boolean): string | undefined {
  if (component ? componentAccess.includes(component) : componentAccess.length) return undefined;
  const what = runs ? "run jobs" : "change configurations";
  return component ? `This token may not ${what} of ${component}.` : `This token may not ${what}.`;
}

const AreLocked = createContext(false);

/** Settings that who may not save them can read. */
export function Locked({ children }: { children: ReactNode }) {
  const refusal = useRefusal();
  return <AreLocked.Provider value={Boolean(refusal)}><fieldset className="locked" disabled={Boolean(refusal)} title={refusal}>{children}</fieldset></AreLocked.Provider>;
}

export const useLocked = (): boolean => useContext(AreLocked);
