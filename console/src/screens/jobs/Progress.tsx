// How far an extraction is: the last line of its heartbeat, which it logs every half minute.
import type { Job, LogEvent } from "../../shared/api/types";
import { bytes, count } from "../../shared/format";
import { useLog } from "../../shared/Log";
import { Facts, Section, When } from "../../shared/parts";

const LINE = /In progress: ([\d,]+) pages, ([\d,]+) records so far, after ([\d,]+) seconds\.(?: Requests: ([\d,]+), bytes received: ([\d,]+)\.)?/;

export function Progress({ job }: { job: Job }) {
  const { data: lines } = useLog(job.runId, true);
  const line = lines?.findLast((each) => LINE.test(each.message));
  return line ? <Section title="So far"><Facts of={factsOf(line)} /></Section> : null;
}

function factsOf(line: LogEvent): [string, React.ReactNode][] {
  const [pages = 0, rows = 0, seconds = 0, requests, received] = (LINE.exec(line.message) ?? []).slice(1).map((text) => (text === undefined ? undefined : Number(text.replaceAll(",", ""))));
  return [
    ["Pages", count(pages)],
    ["Rows", count(rows)],
    ["Requests", count(requests)],
    ["Received", bytes(received)],
    ["Rows in a second", seconds ? count(Math.round(rows / seconds)) : "–"],
    ["As of", <When at={line.created} />],
  ];
}
