import { Button, Modal, Table, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../shared/api/client";
import type { QueryJob } from "../../shared/api/types";
import { count } from "../../shared/format";
import { Empty, Loaded, Status, When } from "../../shared/parts";
import { useWorkspace } from "./workspace";

/** What was run in the workspace in the last thirty days, newest first. */
export function History({ onChoose, onClose }: { onChoose: (query: string) => void; onClose: () => void }) {
  const workspace = useWorkspace();
  const [search, setSearch] = useState("");
  const history = useQuery({
    queryKey: ["query", "history"],
    queryFn: async () => {
      const { id, branch } = await workspace.get();
      return (await call<QueryJob["History"]>("query", `/api/v1/branches/${branch}/workspaces/${id}/queries`, { query: { pageSize: 200 } })).statements;
    },
    staleTime: 0,
  });
  return (
    <Modal opened onClose={onClose} title="History" size="xl" closeButtonProps={{ "aria-label": "Close" }}>
      <TextInput aria-label="Search the history" placeholder="Search" mb="sm" value={search} onChange={(event) => setSearch(event.currentTarget.value)} data-autofocus />
      <Loaded of={history}>
        {(found) => {
          const shown = found.filter((each) => each.query.toLowerCase().includes(search.trim().toLowerCase()));
          if (!shown.length) return <Empty title={found.length ? "No query has this text" : "Nothing was run yet"}>Queries that you run are kept here for 30 days.</Empty>;
          return (
            <div className="list">
              <Table>
                <Table.Thead><Table.Tr><Table.Th>Query</Table.Th><Table.Th>Status</Table.Th><Table.Th className="number">Rows</Table.Th><Table.Th>When</Table.Th><Table.Th /></Table.Tr></Table.Thead>
                <Table.Tbody>
                  {shown.map((each) => (
                    <Table.Tr key={each.id}>
                      <Table.Td><Text className="mono wrap" lineClamp={3} size="xs">{each.query}</Text></Table.Td>
                      <Table.Td><Status of={each.status} /></Table.Td>
                      <Table.Td className="number">{count(each.numberOfRows ?? each.rowsAffected)}</Table.Td>
                      <Table.Td><When at={each.createdAt} /></Table.Td>
                      <Table.Td><Button size="compact-xs" variant="default" onClick={() => onChoose(each.query)}>Use</Button></Table.Td>
                    </Table.Tr>
                  ))}
                </Table.Tbody>
              </Table>
            </div>
          );
        }}
      </Loaded>
    </Modal>
  );
}
