import { Anchor, Table } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { listServices, STORAGE_URL } from "../../shared/api/client";
import { useApi, useProject } from "../../shared/api/hooks";
import { bytes, count, moment } from "../../shared/format";
import { Facts, Loaded, Page, Section, Status } from "../../shared/parts";

interface Health {
  id: string;
  url: string;
  isWell: boolean;
  milliseconds: number;
}

export function Settings() {
  const project = useProject();
  const index = useApi<{ stack: string; host: string; features: string[] }>("storage", "", { exclude: "components" });
  const version = useQuery({ queryKey: ["version"], queryFn: readVersion, staleTime: Infinity });
  const health = useQuery({ queryKey: ["health"], queryFn: checkAll, refetchInterval: 15_000 });
  return (
    <Page title="Settings">
      <Section title="Services">
        <Loaded of={health}>
          {(services) => (
            <div className="list">
              <Table>
                <Table.Thead><Table.Tr><Table.Th>Service</Table.Th><Table.Th>Health</Table.Th><Table.Th className="number">Response time</Table.Th><Table.Th>Address</Table.Th></Table.Tr></Table.Thead>
                <Table.Tbody>
                  {services.map((each) => (
                    <Table.Tr key={each.id}>
                      <Table.Td>{each.id}</Table.Td>
                      <Table.Td><Status of={each.isWell ? "ok" : "failed"} /></Table.Td>
                      <Table.Td className="number">{each.milliseconds} ms</Table.Td>
                      <Table.Td className="mono">{each.url}</Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          )}
        </Loaded>
      </Section>
      <Section title="Project">
        <Loaded of={project}>
          {(token) => (
            <Facts of={[
              ["Name", token.owner?.name],
              ["Id", token.owner?.id],
              ["Created", moment(token.owner?.created)],
              ["Rows", count(token.owner?.rowsCount)],
              ["Size", bytes(token.owner?.dataSizeBytes)],
              ["Your token", token.description],
            ]} />
          )}
        </Loaded>
      </Section>
      <Section title="Limits of the project">
        <Loaded of={project}>{(token) => <Limits limits={token.owner?.limits ?? {}} features={token.owner?.features ?? []} days={token.owner?.dataRetentionTimeInDays} />}</Loaded>
      </Section>
      <Section title="About this stack">
        <Loaded of={index}>{(found) => <Facts of={[["Version", version.data ?? "–"], ["Domain", found.stack], ["Storage", <span className="mono">{STORAGE_URL}</span>], ["APIs", <Anchor href={portal()} target="_blank" size="sm">list of services and specifications</Anchor>]]} />}</Loaded>
      </Section>
    </Page>
  );
}

function Limits({ limits, features, days }: { limits: Record<string, { name: string; value: number }>; features: string[]; days: number | undefined }) {
  const set = Object.values(limits).map((limit): [string, string] => [limit.name, /bytes/i.test(limit.name) ? bytes(limit.value) : count(limit.value)]);
  return <Facts of={[["Earlier rows of tables are kept for", `${days ?? 7} days`], ["Features", features.join(", ") || "none"], ...(set.length ? set : [["Other limits", "none are set"] as [string, string]])]} />;
}

/** Each service has the version of the stack in its specification. */
async function readVersion(): Promise<string> {
  const response = await fetch(`${portal()}specs/scheduler.json`);
  return ((await response.json()) as { info: { version: string } }).info.version;
}

/** The portal is at `api.` beside `connection.`, or at its path. */
const portal = (): string => (STORAGE_URL.includes("/_svc/") ? STORAGE_URL.replace(/\/_svc\/.*$/, "/_svc/portal/") : STORAGE_URL.replace("//connection.", "//api.") + "/");

async function checkAll(): Promise<Health[]> {
  const services = await listServices();
  return Promise.all([{ id: "storage", url: `${STORAGE_URL}/v2/storage?exclude=components` }, ...services].map(check));
}

/** The response of a service without a health check is 404, and so it runs. */
async function check({ id, url }: { id: string; url: string }): Promise<Health> {
  const start = performance.now();
  const isWell = await fetch(id === "storage" ? url : `${url}/health-check`).then(({ status }) => status < 500, () => false);
  return { id, url: url.replace(/\?.*$/, ""), isWell, milliseconds: Math.round(performance.now() - start) };
}
