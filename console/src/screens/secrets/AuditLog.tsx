// Who used which secret and changed which permissions. It only grows.
import { Button, Code, Group, Select, Stack, Table, Text, TextInput, Tooltip } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { shownProject } from "../../shared/api/address";
import { call } from "../../shared/api/client";
import { enc, useApi } from "../../shared/api/hooks";
import { useSession } from "../../shared/api/session";
import type { AuditEntry, Member, Token } from "../../shared/api/types";
import { useNames } from "../../shared/names";
import { Empty, Loaded, When } from "../../shared/parts";

const PAGE = 50;
const KINDS = [
  { value: "", label: "everything" },
  { value: "secret", label: "secrets used" },
  { value: "vault", label: "vault read" },
  { value: "token", label: "tokens" },
  { value: "member", label: "members" },
  { value: "invitation", label: "invitations" },
  { value: "bucket", label: "shared buckets" },
  { value: "oauth", label: "authorizations" },
  { value: "feature", label: "features" },
];

export function AuditLog() {
  const [event, setEvent] = useState("");
  const [actor, setActor] = useState("");
  const [who] = useDebouncedValue(actor, 300);
  const log = useEntries(event, who);
  const nameOf = useTargets();
  return (
    <Stack>
      <Group align="flex-end">
        <Select label="What" data={KINDS} value={event} onChange={(value) => setEvent(value ?? "")} allowDeselect={false} w={200} />
        <TextInput label="Who" placeholder="part of a name" value={actor} onChange={(change) => setActor(change.currentTarget.value)} w={240} />
      </Group>
      <Loaded of={log}>
        {({ pages }) => pages[0]?.length === 0 ? <Empty title="Nothing was recorded">Uses of secrets and changes of permissions are listed here{event || who ? ", if they fit what is asked for" : ""}.</Empty> : (
          <div className="list" tabIndex={0} role="region" aria-label="Entries">
            <Table aria-label="Audit log">
              <Table.Thead><Table.Tr><Table.Th>When</Table.Th><Table.Th>Who</Table.Th><Table.Th>What</Table.Th><Table.Th>Of</Table.Th><Table.Th>From</Table.Th><Table.Th>Details</Table.Th></Table.Tr></Table.Thead>
              <Table.Tbody>{pages.flat().map((each) => <One key={each.id} entry={each} nameOf={nameOf} />)}</Table.Tbody>
            </Table>
          </div>
        )}
      </Loaded>
      {log.hasNextPage && <Group justify="center"><Button variant="default" loading={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>More</Button></Group>}
    </Stack>
  );
}

function useEntries(event: string, actor: string) {
  return useInfiniteQuery({
    queryKey: ["storage", "/audit-log", event, actor],
    queryFn: ({ pageParam, signal }) => call<AuditEntry[]>("storage", "/audit-log", { query: { event, actor, limit: PAGE, before: pageParam }, signal }),
    initialPageParam: null as number | null,
    getNextPageParam: (last) => (last.length < PAGE ? undefined : last.at(-1)?.id),
  });
}

function One({ entry, nameOf }: { entry: AuditEntry; nameOf: (target: string) => string }) {
  const details = Object.entries(entry.details).map(([key, value]) => [key, toText(value)] as const).filter(([, text]) => text);
  return (
    <Table.Tr>
      <Table.Td><When at={entry.created} /></Table.Td>
      <Table.Td><Text size="sm" className="wrap" miw={110}>{entry.actor}</Text></Table.Td>
      <Table.Td title={entry.event}>{toWords(entry.event)}</Table.Td>
      <Table.Td><Text size="sm" className="wrap" miw={90} title={entry.target}>{nameOf(entry.target)}</Text></Table.Td>
      <Table.Td><Tooltip label={entry.userAgent || "the stack itself"} multiline maw={400}><Text span size="sm">{entry.address || "–"}</Text></Tooltip></Table.Td>
      <Table.Td>{details.length > 0 && <Code className="wrap" style={{ display: "block", minWidth: 180, whiteSpace: "pre-wrap" }}>{details.map(([key, text]) => `${key}: ${text}`).join("\n")}</Code>}</Table.Td>
    </Table.Tr>
  );
}

/** `secret.used` is "secret used". */
const toWords = (event: string): string => event.replace(/[.]/g, " ").replace(/([a-z])([A-Z])/g, (_, end: string, start: string) => `${end} ${start.toLowerCase()}`);

/** The name of what an entry is of, if it is still there: the entry itself has its id. */
function useTargets(): (target: string) => string {
  const names = useNames();
  const tokens = useApi<Token[]>("storage", "/tokens");
  const isPerson = useSession() === "person";
  const people = useQuery({ queryKey: ["manage", "members", shownProject()], queryFn: () => call<Member[]>("manage", `/projects/${enc(shownProject())}/users`), enabled: isPerson });
  return (target) => {
    const [, component, config] = /^component (\S+)(?: configuration (.+))?$/.exec(target) ?? [];
    if (component) return config ? `${names.config(component, config)} · ${names.component(component)}` : names.component(component);
    const [, kind, id] = /^(token|user) (\d+)$/.exec(target) ?? [];
    const token = kind === "token" && tokens.data?.find((each) => String(each.id) === id);
    const person = kind === "user" && people.data?.find((each) => String(each.id) === id);
    return token ? `token “${token.description}”` : person ? person.name || person.email : target;
  };
}

/** Empty for what says nothing, such as an empty list. */
function toText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toText).join(", ");
  if (value === null || value === false || (typeof value === "object" && !Object.keys(value!).length)) return "";
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
