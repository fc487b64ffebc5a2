// What the project used and what that cost, by day, component and configuration.
import { Button, SegmentedControl, Select, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Chart } from "../../shared/Chart";
import { call, send } from "../../shared/api/client";
import { showError, useApi, useProject } from "../../shared/api/hooks";
import { save } from "../../shared/api/transfers";
import type { Balance, Usage as Found, UsageRow } from "../../shared/api/types";
import { useQuery } from "@tanstack/react-query";
import { bytes, count, duration } from "../../shared/format";
import { useNames } from "../../shared/names";
import { configPath, Empty, Facts, Go, Loaded, Page, Section } from "../../shared/parts";
import { credits, lastDays, toSeries } from "./days";

const PERIODS = [{ value: "7", label: "7 days" }, { value: "30", label: "30 days" }, { value: "90", label: "90 days" }, { value: "365", label: "a year" }];
const GROUPS = [{ value: "component,configuration", label: "Configuration" }, { value: "component", label: "Component" }, { value: "day", label: "Day" }, { value: "kind", label: "Kind" }];
const PAGE = 1000;

export function Usage() {
  const [days, setDays] = useState("30");
  const labels = lastDays(Number(days));
  const range = { from: labels[0]!, to: labels.at(-1)! };
  const [groupBy, setGroupBy] = useState("component,configuration");
  const balance = useApi<Balance>("billing", "/credits");
  const perDay = useUsage({ ...range, groupBy: "day,component" });
  const grouped = useUsage({ ...range, groupBy });
  const download = (): void => void saveCsv({ ...range, groupBy: "day,component,configuration,kind" }).catch(showError);
  return (
    <Page title="Usage" actions={<><Select data={PERIODS} value={days} onChange={(value) => setDays(value ?? "30")} allowDeselect={false} w={120} aria-label="Period" /><Button variant="default" onClick={download}>Download CSV</Button></>}>
      <Section title="Credits"><Loaded of={balance}>{(found) => <Credits of={found} period={grouped.data?.total} />}</Loaded></Section>
      <Section title="Cost by day">
        <Loaded of={perDay}>
          {({ rows }) => rows.length === 0 ? <Empty title="Nothing was used in this time">Run a job, and its cost is shown here.</Empty> : (
            <Chart kind="bar" isStacked title="Credits by day and component" labels={labels.map((day) => day.slice(5))} series={toSeries(labels, rows)} height={240} />
          )}
        </Loaded>
      </Section>
      <Section title="What used it" actions={<SegmentedControl size="xs" data={GROUPS} value={groupBy} onChange={setGroupBy} aria-label="Group by" />}>
        <Loaded of={grouped}>{({ rows }) => <Rows of={rows} by={groupBy} />}</Loaded>
      </Section>
    </Page>
  );
}

function Credits({ of, period }: { of: Balance; period: UsageRow | undefined }) {
  const needsCredits = useProject().data?.owner?.features.includes("pay-as-you-go");
  const left: [string, string][] = needsCredits
    ? [["Left", credits(of.remaining)], ["Free minutes left this month", count(Math.floor(of.stats.freeMinutes.remaining))]]
    : [["Left", "this project needs no credits to run jobs"]];
  return <Facts of={[...left, ["Used in this time", period ? credits(period.credits) : "–"], ["Used in all", credits(of.consumed)], ["Jobs, queries and sessions", count(period?.entries)]]} />;
}

function Rows({ of, by }: { of: UsageRow[]; by: string }) {
  if (of.length === 0) return <Text size="sm" c="dimmed">Nothing was used in this time.</Text>;
  const sorted = by === "day" ? [...of].reverse() : [...of].sort((one, other) => other.credits - one.credits || other.seconds - one.seconds);
  return (
    <div className="list">
      <Table aria-label="Usage">
        <Table.Thead>
          <Table.Tr>
            {by.split(",").map((each) => <Table.Th key={each} tt="capitalize">{each}</Table.Th>)}
            {["Jobs", "Time", "Read", "Rows", "Credits"].map((each) => <Table.Th key={each} className="number">{each}</Table.Th>)}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>{sorted.map((row, at) => <One key={at} row={row} by={by} />)}</Table.Tbody>
      </Table>
    </div>
  );
}

function One({ row, by }: { row: UsageRow; by: string }) {
  const names = useNames();
  const named: Record<string, string | null | undefined> = { day: row.day, component: row.component && names.component(row.component), configuration: row.configuration, kind: row.kind };
  return (
    <Table.Tr>
      {by.split(",").map((each) => <Table.Td key={each} className="wrap">{each === "configuration" && row.component && row.configuration ? <Go to={configPath(row.component, row.configuration)} size="sm" title={row.configuration}>{names.config(row.component, row.configuration)}</Go> : named[each] || "–"}</Table.Td>)}
      <Table.Td className="number">{count(row.entries)}</Table.Td>
      <Table.Td className="number">{duration(Math.round(row.seconds))}</Table.Td>
      <Table.Td className="number">{bytes(row.bytes)}</Table.Td>
      <Table.Td className="number">{count(row.rows)}</Table.Td>
      <Table.Td className="number">{credits(row.credits)}</Table.Td>
    </Table.Tr>
  );
}

interface Query {
  from: string;
  to: string;
  groupBy: string;
  [key: string]: string;
}

function useUsage(query: Query) {
  return useQuery({ queryKey: ["billing", "/usage", query], queryFn: () => readAll(query), placeholderData: (before) => before });
}

/** All pages of the rows. */
async function readAll(query: Query): Promise<Found> {
  const found = await call<Found>("billing", "/usage", { query: { ...query, limit: PAGE } });
  const rows = [...found.rows];
  for (let last = found.rows.length; last === PAGE; ) {
    const next = await call<Found>("billing", "/usage", { query: { ...query, limit: PAGE, offset: rows.length } });
    rows.push(...next.rows);
    last = next.rows.length;
  }
  return { ...found, rows };
}

async function saveCsv(query: Query): Promise<void> {
  const parts: string[] = [];
  for (let offset = 0, last = PAGE; last === PAGE; offset += PAGE) {
    const text = await (await send("billing", "/usage.csv", { query: { ...query, limit: PAGE, offset } })).text();
    const lines = text.trimEnd().split("\n");
    last = lines.length - 1;
    parts.push(...(offset ? lines.slice(1) : lines));
  }
  save(new Blob([parts.join("\n") + "\n"], { type: "text/csv" }), `usage-${query.from}-${query.to}.csv`);
}
