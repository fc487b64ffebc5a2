// What several screens read, each under one key, so that a change anywhere shows everywhere.
import { notifications } from "@mantine/notifications";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { ApiError, call, type Options } from "./client";
import { askToLeave, draftsHere, NotSaved } from "../drafts";
import { shownProject } from "./address";
import { isTemporary, pauseAfter } from "./reach";
import { readToken, showsUser, signOut, useSession } from "./session";
import type { Bucket, Component, Configuration, Job, Me, Table, Token } from "./types";

export const LIVE = 1_500;
export const SLOW = 10_000;
/** With 10,000 configurations their names are 5 MB. What is changed here is asked for again at once. */
const CONFIGURED_FRESH = 30_000;

export function useApi<T>(service: string, path: string, query?: Options["query"], every: number | false = false) {
  return useQuery({
    queryKey: [service, path, query ?? {}],
    queryFn: ({ signal }) => call<T>(service, path, { signal, ...(query && { query }) }),
    refetchInterval: ({ state }) => againAfter(state) ?? every,
  });
}

/** After a failure that may be over soon it is asked again, later each time. */
export const againAfter = ({ error, errorUpdateCount }: { error: Error | null; errorUpdateCount: number }): number | undefined => (isTemporary(error) ? pauseAfter(errorUpdateCount) : undefined);

export function useProject() {
  return useQuery({
    queryKey: ["project", readToken(), shownProject()],
    queryFn: () => call<Token>("storage", "/tokens/verify"),
    staleTime: 60_000,
    enabled: Boolean(readToken() || shownProject()),
  });
}

/** The person who has signed in, with the projects of the person; not asked for with a Storage token. */
export function useMe() {
  const session = useSession();
  return useQuery({ queryKey: ["me"], queryFn: readMe, staleTime: 60_000, enabled: session === "person" });
}

async function readMe(): Promise<Me> {
  const me = await call<Me>("auth", "/me");
  showsUser(me.user.id);
  return me;
}

/** Nothing is forgotten if the session could not be revoked: the error is shown. */
export function useSignOut(): () => void {
  const queries = useQueryClient();
  return () => void askToLeave(draftsHere()).then((leaves) => (leaves ? signOut().then(() => queries.clear()) : undefined)).catch(showError);
}

/** Whether the role of the caller lets it change members: the server decides, this only says what is shown. */
export function useManages(): boolean {
  const { data } = useMe();
  return Boolean(data?.isSuperAdmin || data?.projects.some((each) => String(each.id) === shownProject() && ["admin", "share"].includes(each.role)));
}

/** All components of the stack, with documentation and schemas. */
export function useCatalogue() {
  return useQuery({
    queryKey: ["catalogue"],
    queryFn: async () => (await call<{ components: Component[] }>("storage", "")).components,
    staleTime: 300_000,
  });
}

/** The components that have configurations, each with the names of them: what is in them is not read. */
export function useConfigured() {
  return useQuery({
    queryKey: ["storage", "/components", {}],
    queryFn: ({ signal }) => call<Component[]>("storage", "/components", { signal }),
    staleTime: CONFIGURED_FRESH,
  });
}

export const useBuckets = () => useApi<Bucket[]>("storage", "/buckets");
export const useTables = (include = "") => useApi<Table[]>("storage", "/tables", { include });
export const useConfiguration = (component: string, config: string) =>
  useApi<Configuration>("storage", `/components/${enc(component)}/configs/${enc(config)}`);

export function useJobs(query: Options["query"]) {
  return useQuery({
    queryKey: ["queue", "/search/jobs", query],
    queryFn: ({ signal }) => call<Job[]>("queue", "/search/jobs", { query: query ?? {}, signal }),
    refetchInterval: ({ state }) => againAfter(state) ?? (state.data?.some((job) => !job.isFinished) ? LIVE : SLOW),
    placeholderData: (before) => before,
  });
}

/** The last job of each of these configurations; those of a whole project take the server seconds if it has many jobs. */
export function useLastJobs(components: string[], configIds: string[]) {
  const query = { component: components, configIds, jobsPerConfiguration: 1, limit: 500 };
  return useQuery({
    queryKey: ["queue", "/configurations-jobs", query],
    queryFn: ({ signal }) => call<Job[]>("queue", "/configurations-jobs", { query, signal }),
    refetchInterval: ({ state }) => againAfter(state) ?? SLOW,
    enabled: configIds.length > 0,
    placeholderData: (before) => before,
  });
}

/** A change: what it returns is used by `then`, what is shown is read again, and a refusal is shown. */
export function useChange<In, Out>(work: (input: In) => Promise<Out>, then?: (output: Out) => void) {
  const queries = useQueryClient();
  return useMutation({
    mutationFn: work,
    onSuccess: async (output) => {
      await queries.invalidateQueries();
      then?.(output);
    },
    onError: showError,
  });
}

export function showError(error: Error): void {
  if (error instanceof NotSaved) return void notifications.show({ color: "gray", title: error.message, message: "" });
  const id = error instanceof ApiError ? error.exceptionId : "";
  notifications.show({ color: "red", title: error.message, message: id, autoClose: 12_000 });
}

export const enc = encodeURIComponent;
