// The same flow as a list: everything that can be dragged in the graph can be done here with the keyboard.
import { ActionIcon, Button, Group, MultiSelect, Paper, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { Act } from "../../shared/Act";
import { useConfigured } from "../../shared/api/hooks";
import { Icon } from "../../shared/Icon";
import { configPath, Empty, Go, Status } from "../../shared/parts";
import { Conditions } from "./Conditions";
import { addPhase, addTask, beginWith, connect, disconnect, enableTask, type Flow, type Id, idOf, moveTask, removePhase, removeTask, renamePhase, type WrittenPhase, type WrittenTask } from "./edit";
import type { Shown } from "./Graph";
import { Retries } from "./Retries";

export function Outline({ flow, states, onChange }: Shown) {
  return (
    <Stack mt="md">
      {flow.phases.length === 0 && <Empty title="This flow has no phases yet">A phase has tasks, which run side by side. Add a phase, then choose what it runs.</Empty>}
      {flow.phases.map((phase, at) => <PhaseForm key={String(phase.id)} phase={phase} at={at} flow={flow} states={states} onChange={onChange} />)}
      <Group><Act variant="default" onClick={() => onChange(addPhase(flow))}>Add phase</Act></Group>
    </Stack>
  );
}

function PhaseForm({ phase, at, flow, states, onChange }: Shown & { phase: WrittenPhase; at: number }) {
  const name = phase.name ?? String(phase.id);
  const tasks = flow.tasks.filter((task) => String(task.phase) === String(phase.id));
  return (
    <Paper withBorder p="md" component="section" aria-label={`Phase ${name}`}>
      <Group align="flex-end" gap="sm" mb="sm">
        <TextInput label="Phase" value={name} onChange={(event) => onChange(renamePhase(flow, phase.id, event.currentTarget.value))} w={220} />
        {flow.isConditional ? <Next flow={flow} phase={phase} onChange={onChange} /> : <After flow={flow} phase={phase} onChange={onChange} />}
        {flow.isConditional && (at === 0 ? <Text size="sm" c="dimmed" pb={8}>begins the flow</Text> : <Button variant="subtle" size="xs" mb={4} onClick={() => onChange(beginWith(flow, phase.id))}>Begin here</Button>)}
        <Act variant="subtle" color="red" size="xs" mb={4} ml="auto" onClick={() => onChange(removePhase(flow, phase.id))}>Remove phase</Act>
      </Group>
      {flow.isConditional && <Conditions flow={flow} phase={phase} onChange={onChange} />}
      <Stack gap="xs">
        {tasks.map((task) => <TaskForm key={String(task.id)} task={task} flow={flow} state={states.get(String(task.id))} onChange={onChange} />)}
        <NewTask onAdd={(target) => onChange(addTask(flow, phase.id, target))} phase={name} />
      </Stack>
    </Paper>
  );
}

type Edited = { flow: Flow; onChange: (flow: Flow) => void };

const others = (flow: Flow, phase: WrittenPhase) => flow.phases.filter((each) => each !== phase).map((each) => ({ value: String(each.id), label: each.name ?? String(each.id) }));

/** What follows if no condition is met. */
function Next({ flow, phase, onChange }: Edited & { phase: WrittenPhase }) {
  const next = (phase.next ?? []).find((each) => !each.condition && each.goto)?.goto;
  const conditions = (phase.next ?? []).filter((each) => each.condition).length;
  const set = (to: string | null): void => onChange(to ? connect(flow, phase.id, idOf(flow, to)) : disconnect(flow, phase.id, next as Id));
  return <Select label={conditions ? "Otherwise followed by" : "Followed by"} placeholder="nothing: the flow ends" data={others(flow, phase)} value={next ? String(next) : null} onChange={set} clearable w={260} />;
}

function After({ flow, phase, onChange }: Edited & { phase: WrittenPhase }) {
  const before = (phase.dependsOn ?? []).map(String);
  function set(wanted: string[]): void {
    const added = wanted.filter((id) => !before.includes(id)).reduce((left, id) => connect(left, idOf(left, id), phase.id), flow);
    onChange(before.filter((id) => !wanted.includes(id)).reduce((left, id) => disconnect(left, id, phase.id), added));
  }
  return <MultiSelect label="Runs after" placeholder={before.length ? "" : "nothing: it begins at once"} data={others(flow, phase)} value={before} onChange={set} w={320} />;
}

function TaskForm({ task, flow, state, onChange }: Edited & { task: WrittenTask; state: string | undefined }) {
  const name = task.name ?? String(task.id);
  const { componentId: component, configId: config } = task.task ?? {};
  return (
    <Group gap="sm" wrap="wrap">
      <div style={{ minWidth: 200, flex: 1 }}>
        <Text size="sm" fw={500} className="wrap">{name}</Text>
        {component && config ? <Go to={configPath(component, config)} size="xs">{component} · {config}</Go> : <Text size="xs" c="dimmed">{task.task?.type}</Text>}
      </div>
      {state && <Status of={state} />}
      {component && <Retries flow={flow} task={task} onChange={onChange} />}
      <Switch size="xs" label="On" aria-label={`${name} is on`} checked={task.enabled !== false} onChange={(event) => onChange(enableTask(flow, task.id, event.currentTarget.checked))} />
      <Select size="xs" aria-label={`Phase of ${name}`} data={flow.phases.map((each) => ({ value: String(each.id), label: each.name ?? String(each.id) }))} value={String(task.phase)} onChange={(phase) => phase && onChange(moveTask(flow, task.id, phase))} allowDeselect={false} w={150} />
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${name}`} onClick={() => onChange(removeTask(flow, task.id))}><Icon path="M6 6l12 12M18 6L6 18" size={16} /></ActionIcon>
    </Group>
  );
}

function NewTask({ phase, onAdd }: { phase: string; onAdd: (target: { component: string; config: string; name: string }) => void }) {
  const configured = useConfigured();
  const all = (configured.data ?? []).filter((each) => each.hasRun).flatMap((component) => (component.configurations ?? []).map((config) => ({ component, config })));
  const data = Object.entries(Object.groupBy(all, ({ component }) => component.name)).map(([group, items]) => ({ group, items: (items ?? []).map(({ component, config }) => ({ value: `${component.id}/${config.id}`, label: config.name })) }));
  function add(value: string | null): void {
    const found = all.find(({ component, config }) => `${component.id}/${config.id}` === value);
    if (found) onAdd({ component: found.component.id, config: found.config.id, name: found.config.name });
  }
  return <Select size="xs" aria-label={`Add a task to ${phase}`} placeholder="Add a task: choose a configuration" data={data} value={null} onChange={add} searchable limit={100} w={320} nothingFoundMessage="No configuration has this name" />;
}
