import { Button, Group, Modal, MultiSelect, NumberInput, Stack, Table, Text } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { call } from "../../shared/api/client";
import { enc, useApi, useChange, useProject, useTables } from "../../shared/api/hooks";
import type { Trigger } from "../../shared/api/types";
import { Confirm } from "../../shared/Confirm";
import { configPath, Empty, Go, Loaded, tablePath, When } from "../../shared/parts";
import { Needs } from "../../shared/rights";
import { type Target, TargetSelect } from "./targets";

export function Triggers() {
  const triggers = useApi<Trigger[]>("storage", "/triggers");
  const [isNew, setNew] = useState(false);
  return (
    <Needs of={{ component: "" }}><Stack>
      <Group justify="flex-end"><Act onClick={() => setNew(true)}>New trigger</Act></Group>
      <Loaded of={triggers}>
        {(found) => found.length === 0 ? <Empty title="There are no triggers">A trigger runs a configuration when all its tables have changed.</Empty> : (
          <div className="list">
            <Table>
              <Table.Thead><Table.Tr><Table.Th>Runs</Table.Th><Table.Th>When these changed</Table.Th><Table.Th className="number">At most every</Table.Th><Table.Th>Last run</Table.Th><Table.Th /></Table.Tr></Table.Thead>
              <Table.Tbody>{found.map((each) => <One key={each.id} trigger={each} />)}</Table.Tbody>
            </Table>
          </div>
        )}
      </Loaded>
      {isNew && <TriggerForm onClose={() => setNew(false)} />}
    </Stack></Needs>
  );
}

function One({ trigger }: { trigger: Trigger }) {
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  const close = (): void => setOpen(null);
  return (
    <Table.Tr>
      <Table.Td><Go to={configPath(trigger.component, trigger.configurationId)} size="sm">{trigger.configurationId}</Go><Text size="xs" c="dimmed">{trigger.component}</Text></Table.Td>
      <Table.Td>{trigger.tables.map(({ tableId }) => <div key={tableId}><Go to={tablePath(tableId)} className="mono">{tableId}</Go></div>)}</Table.Td>
      <Table.Td className="number">{trigger.coolDownPeriodMinutes} min</Table.Td>
      <Table.Td><When at={trigger.lastRun} /></Table.Td>
      <Table.Td>
        <Group gap="xs" wrap="nowrap" justify="flex-end"><Act size="compact-xs" variant="default" onClick={() => setOpen("edit")}>Edit</Act><Act size="compact-xs" variant="subtle" color="red" onClick={() => setOpen("delete")}>Delete</Act></Group>
        {open === "edit" && <TriggerForm known={trigger} onClose={close} />}
        {open === "delete" && <Confirm title="Delete the trigger" action="Delete the trigger" onClose={close} work={() => call("storage", `/triggers/${enc(trigger.id)}`, { method: "DELETE" })}>{trigger.configurationId} will not run any more when its tables change.</Confirm>}
      </Table.Td>
    </Table.Tr>
  );
}

function TriggerForm({ known, onClose }: { known?: Trigger; onClose: () => void }) {
  const tables = useTables();
  const { data: token } = useProject();
  const [target, setTarget] = useState<Target | null>(known ? { component: known.component, config: known.configurationId } : null);
  const [chosen, setChosen] = useState<string[]>(known?.tables.map(({ tableId }) => tableId) ?? []);
  const [minutes, setMinutes] = useState<number | string>(known?.coolDownPeriodMinutes ?? 5);
  const save = useChange(() => {
    const body = { runWithTokenId: known?.runWithTokenId ?? Number(token?.id), component: target?.component, configurationId: target?.config, coolDownPeriodMinutes: Number(minutes), tableIds: chosen };
    return call("storage", known ? `/triggers/${enc(known.id)}` : "/triggers", { method: known ? "PUT" : "POST", body });
  }, onClose);
  return (
    <Modal opened onClose={onClose} title={known ? "Change the trigger" : "New trigger"} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); save.mutate(undefined); }}>
        <Stack>
          <TargetSelect value={target} onChange={setTarget} />
          <MultiSelect label="Tables" data={(tables.data ?? []).map((table) => table.id)} value={chosen} onChange={setChosen} searchable />
          <NumberInput label="At most once in so many minutes" value={minutes} onChange={setMinutes} min={1} />
          <Group justify="flex-end"><Button type="submit" disabled={!target || !chosen.length} loading={save.isPending}>{known ? "Save" : "Create"}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
