import { Autocomplete, Button, Group, Modal, NumberInput, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { askToLeave } from "../../shared/drafts";
import { saveDraft, toText } from "../../shared/saving";
import { useDraft } from "../../shared/useDraft";
import { call } from "../../shared/api/client";
import { enc, useChange } from "../../shared/api/hooks";
import type { Configuration, Schedule } from "../../shared/api/types";
import { type Choice, DAYS, fromCron, inWords, type Often, toCron } from "./cron";
import { type Target, TargetSelect } from "./targets";

const OFTEN: { value: Often; label: string }[] = [
  { value: "minutes", label: "Every few minutes" }, { value: "hour", label: "Every hour" }, { value: "day", label: "Every day" },
  { value: "week", label: "Every week" }, { value: "month", label: "Every month" }, { value: "cron", label: "As the cron expression says" },
];
const PATH = "/components/keboola.scheduler/configs";
const ZONES = ["UTC", ...Intl.supportedValuesOf("timeZone")];

interface Values {
  target: Target | null;
  cron: string;
  zone: string;
  isOn: boolean;
}

const valuesOf = (known: Schedule | undefined): Values => ({
  target: known ? { component: known.target.componentId, config: known.target.configurationId } : null,
  cron: known?.schedule.cronTab ?? "0 3 * * *",
  zone: known?.schedule.timezone ?? (Intl.DateTimeFormat().resolvedOptions().timeZone || "UTC"),
  isOn: known?.schedule.state !== "disabled",
});

const toConfiguration = ({ target, cron, zone, isOn }: Values, known: Schedule | undefined): Written => ({
  schedule: { cronTab: cron, timezone: zone, state: isOn ? "enabled" : "disabled" },
  target: { ...known?.target, componentId: target?.component ?? "", configurationId: target?.config ?? "", mode: known?.target.mode ?? "run" },
});

/** A schedule is a configuration that Scheduler is told of; told again, it takes the changes. */
export function ScheduleForm({ schedule: known, onClose }: { schedule?: Schedule; onClose: () => void }) {
  const { draft, text, setText, discard } = useDraft({ key: `schedules/${known?.id ?? "new"}`, title: known ? "The schedule" : "A new schedule", saved: JSON.stringify(valuesOf(known)), version: Number(known?.configurationVersionId ?? 0) });
  const values = JSON.parse(text) as Values;
  const { target, cron, zone, isOn } = values;
  const set = (part: Partial<Values>): void => setText(JSON.stringify({ ...values, ...part }));
  const save = useChange(() => keep(known, toConfiguration(values, known)), () => { discard(); onClose(); });
  const close = (): void => void askToLeave(draft ? [draft] : []).then((leaves) => leaves && onClose());
  return (
    <Modal opened onClose={close} title={known ? "Change the schedule" : "New schedule"} closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); save.mutate(undefined); }}>
        <Stack>
          <TargetSelect value={target} onChange={(next) => set({ target: next })} />
          <Timing cron={cron} onChange={(next) => set({ cron: next })} />
          <Autocomplete label="Time zone" data={ZONES} limit={20} value={zone} onChange={(next) => set({ zone: next })} required />
          <Text size="sm" role="status">It runs {inWords(cron)}, {zone} time.</Text>
          {known && <Switch label="On" checked={isOn} onChange={(event) => set({ isOn: event.currentTarget.checked })} />}
          <Group justify="flex-end"><Button type="submit" disabled={!target} loading={save.isPending}>{known ? "Save" : "Create"}</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}

function Timing({ cron, onChange }: { cron: string; onChange: (cron: string) => void }) {
  const choice = fromCron(cron);
  const [isFree, setFree] = useState(choice.often === "cron");
  const often = isFree ? "cron" : choice.often;
  const set = (part: Partial<Choice>): void => onChange(toCron({ ...choice, ...part }));
  function choose(wanted: string | null): void {
    setFree(wanted === "cron");
    if (wanted && wanted !== "cron") set({ often: wanted as Often });
  }
  return (
    <>
      <Select label="How often" data={OFTEN} value={often} onChange={choose} allowDeselect={false} />
      <Group grow>
        {often === "minutes" && <NumberInput label="Every how many minutes" min={1} max={59} value={choice.step} onChange={(step) => set({ step: Number(step) || 1 })} />}
        {often === "hour" && <NumberInput label="At minute" min={0} max={59} value={Number(choice.time.slice(3))} onChange={(minute) => set({ time: `00:${String(Number(minute) || 0).padStart(2, "0")}` })} />}
        {often === "week" && <Select label="On" data={DAYS.map((label, at) => ({ value: String(at), label }))} value={choice.weekday} onChange={(weekday) => set({ weekday: weekday ?? "1" })} allowDeselect={false} />}
        {often === "month" && <NumberInput label="On day" min={1} max={31} value={choice.day} onChange={(day) => set({ day: Number(day) || 1 })} />}
        {["day", "week", "month"].includes(often) && <TextInput label="At" type="time" value={choice.time} onChange={(event) => event.currentTarget.value && set({ time: event.currentTarget.value })} />}
      </Group>
      <TextInput label="Cron" description="Minute, hour, day of month, month, day of week" value={cron} onChange={(event) => onChange(event.currentTarget.value)} required />
    </>
  );
}

interface Written {
  schedule: { cronTab: string; timezone: string; state: string };
  target: { componentId: string; configurationId: string; mode: string };
}

async function keep(known: Schedule | undefined, configuration: Written): Promise<Schedule> {
  const activate = (configurationId: string) => call<Schedule>("scheduler", "/schedules", { method: "POST", body: { configurationId } });
  if (known) {
    const stored = { schedule: known.schedule, target: known.target };
    await saveDraft({ key: "", place: "", title: "The schedule", text: toText(configuration), saved: toText(stored), version: Number(known.configurationVersionId), path: `${PATH}/${enc(known.configurationId)}` });
    return activate(known.configurationId);
  }
  const made = await call<Configuration>("storage", PATH, { method: "POST", body: { name: `Schedule of ${configuration.target.configurationId}`, configuration } });
  try {
    return await activate(made.id);
  } catch (error) {
    await call("storage", `${PATH}/${enc(made.id)}`, { method: "DELETE" });
    throw error;
  }
}
