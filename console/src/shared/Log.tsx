// The log of a run, as it grows.
import { Button, Group, SegmentedControl } from "@mantine/core";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useRef, useState } from "react";
import { call } from "./api/client";
import { enc, LIVE } from "./api/hooks";
import type { LogEvent } from "./api/types";
import { clock } from "./format";
import { useNames } from "./names";
import { Empty, Failure, Go, Waiting } from "./parts";

const PAGE = 1000;
const SHOWN = 2000;

/** The log of a job, and of the jobs that it is made of: their lines begin with the name of what ran. */
export function Log({ job, runId, isLive }: { job: string; runId: string; isLive: boolean }) {
  const { data: lines, error } = useLog(runId, isLive);
  const tasks = useTasks(lines, job);
  const [kind, setKind] = useState("all");
  const [isWhole, setWhole] = useState(false);
  const end = useRef<HTMLDivElement>(null);
  const wanted = (lines ?? []).filter((line) => kind === "all" || line.type === "error" || line.type === "warn");
  const shown = isWhole ? wanted : wanted.slice(-SHOWN);
  useEffect(() => {
    if (isLive && end.current) end.current.scrollTop = end.current.scrollHeight;
  }, [shown.length, isLive]);
  if (error) return <Failure error={error} />;
  if (!lines) return <Waiting />;
  return (
    <>
      <Group justify="space-between" mb="xs">
        <SegmentedControl size="xs" value={kind} onChange={setKind} data={[{ value: "all", label: "All lines" }, { value: "bad", label: "Errors and warnings" }]} />
        {shown.length < wanted.length && (
          <Button size="xs" variant="default" onClick={() => setWhole(true)}>Show {wanted.length - shown.length} earlier lines</Button>
        )}
      </Group>
      <div className="log" ref={end} role="log" aria-label="Log" tabIndex={0}>
        {shown.map((line) => (
          <div key={line.id} className={`log-line log-${line.type}`}>
            <time dateTime={line.created}>{clock(line.created)}</time>
            {tasks.has(line.runId ?? "") && <Go to={`queue/${enc(line.runId ?? "")}`} className="log-task cut">{tasks.get(line.runId ?? "")}</Go>}
            <span>{line.message}{line.description && line.description !== line.message ? `\n${line.description}` : ""}</span>
          </div>
        ))}
        {shown.length === 0 && <Empty title={isLive ? "Nothing is logged yet" : kind === "all" ? "The run logged nothing" : "There are no errors and no warnings"} />}
      </div>
    </>
  );
}

/** What the other jobs ran whose lines are in a log, by their run ids. */
function useTasks(lines: LogEvent[] | undefined, job: string): Map<string, string> {
  const names = useNames();
  return useMemo(() => {
    const tasks = new Map<string, string>();
    for (const { runId, component, configurationId } of lines ?? []) {
      if (!runId || runId === job || tasks.has(runId)) continue;
      if (configurationId) tasks.set(runId, names.config(component, configurationId));
    }
    return tasks;
  }, [lines, job, names]);
}

/** Only new lines are read again; one more time after the end, for those that were written last. */
export function useLog(runId: string, isLive: boolean) {
  const queries = useQueryClient();
  const key = ["log", runId];
  const log = useQuery({
    queryKey: key,
    queryFn: async ({ signal }) => {
      const lines = [...(queries.getQueryData<LogEvent[]>(key) ?? [])];
      for (;;) {
        const query = { runId, sinceId: lines.at(-1)?.id ?? "", sortOrder: "asc", limit: PAGE };
        const page = await call<LogEvent[]>("storage", "/events", { query, signal });
        const known = new Set(lines.slice(-PAGE).map((line) => line.id));
        const fresh = page.filter((line) => !known.has(line.id));
        lines.push(...fresh);
        if (page.length < PAGE || fresh.length === 0) return lines;
      }
    },
    refetchInterval: isLive ? LIVE : false,
  });
  useEffect(() => {
    if (!isLive) void log.refetch();
  }, [isLive]); // eslint-disable-line
  return log;
}
