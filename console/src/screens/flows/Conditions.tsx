// Where a phase of a conditional flow leads to: the first condition that is met decides.
import { ActionIcon, Autocomplete, Button, Group, Select, Stack, Text } from "@mantine/core";
import { Icon } from "../../shared/Icon";
import { type Choice, describe, type Kind, KINDS, makeCondition, OUTCOMES, readCondition } from "./conditions";
import { changeTransitions, type Flow, idOf, type Transition, type WrittenPhase } from "./edit";

const END = "";

interface Props {
  flow: Flow;
  phase: WrittenPhase;
  onChange: (flow: Flow) => void;
}

export function Conditions({ flow, phase, onChange }: Props) {
  const name = phase.name ?? String(phase.id);
  const conditional = (phase.next ?? []).filter((each) => each.condition);
  const set = (next: Transition[]): void => onChange(changeTransitions(flow, phase.id, next));
  function add(): void {
    const condition = makeCondition({ kind: "anyFailed", subject: "", value: "" }, String(phase.id));
    set([...conditional, { id: freeId(phase), goto: null, condition }]);
  }
  return (
    <Stack gap={6} mb="sm" role="group" aria-label={`Conditions of ${name}`}>
      {conditional.map((each, at) => (
        <Condition key={String(each.id ?? at)} title={`condition ${at + 1} of ${name}`} flow={flow} phase={phase} transition={each}
          onChange={(changed) => set(conditional.flatMap((other, index) => (index === at ? (changed ? [changed] : []) : [other])))} />
      ))}
      <Group><Button size="compact-xs" variant="default" onClick={add}>Add condition</Button></Group>
    </Stack>
  );
}

function freeId(phase: WrittenPhase): string {
  for (let number = 1; ; number += 1) if (!(phase.next ?? []).some(({ id }) => String(id) === `if-${number}`)) return `if-${number}`;
}

interface ConditionProps extends Omit<Props, "onChange"> {
  title: string;
  transition: Transition;
  /** Without a transition it is removed. */
  onChange: (transition?: Transition) => void;
}

function Condition({ title, flow, phase, transition, onChange }: ConditionProps) {
  const choice = readCondition(transition.condition, String(phase.id));
  const choose = (part: Partial<Choice>): void => onChange({ ...transition, condition: makeCondition({ ...choice, ...part }, String(phase.id)) });
  const tasks = flow.tasks.map((each) => ({ value: String(each.id), label: each.name ?? String(each.id) }));
  const goals = [{ value: END, label: "the end of the flow" }, ...flow.phases.filter((each) => each !== phase).map((each) => ({ value: String(each.id), label: each.name ?? String(each.id) }))];
  function begin(kind: Kind): void {
    const [subject, value] = kind === "task" ? [tasks[0]?.value ?? "", "error"] : ["", ""];
    choose({ kind, subject, value });
  }
  return (
    <Group gap="xs" wrap="wrap">
      <Text size="sm">If</Text>
      {choice.kind === "other"
        ? <Text size="sm" className="wrap" title="It is changed in the JSON">{describe(transition.condition, flow)}</Text>
        : <Select size="xs" aria-label={`Kind of ${title}`} data={KINDS} value={choice.kind} onChange={(kind) => kind && begin(kind as Kind)} allowDeselect={false} w={230} />}
      {choice.kind === "task" && <Select size="xs" aria-label={`Task of ${title}`} data={tasks} value={choice.subject} onChange={(subject) => choose({ subject: subject ?? "" })} allowDeselect={false} w={190} />}
      {choice.kind === "variable" && <Autocomplete size="xs" aria-label={`Variable of ${title}`} placeholder="its name" data={variablesOf(flow)} value={choice.subject} onChange={(subject) => choose({ subject })} w={150} />}
      {(choice.kind === "task" || choice.kind === "variable") && <Autocomplete size="xs" aria-label={`Value of ${title}`} data={choice.kind === "task" ? OUTCOMES : []} value={choice.value} onChange={(value) => choose({ value })} w={130} />}
      <Text size="sm">go to</Text>
      <Select size="xs" aria-label={`Where ${title} leads to`} data={goals} value={transition.goto ? String(transition.goto) : END} onChange={(to) => onChange({ ...transition, goto: to ? idOf(flow, to) : null })} allowDeselect={false} w={190} />
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${title}`} onClick={() => onChange()}><Icon path="M6 6l12 12M18 6L6 18" size={16} /></ActionIcon>
    </Group>
  );
}

const variablesOf = (flow: Flow): string[] => [...new Set(flow.tasks.flatMap(({ task }) => (task?.type === "variable" && typeof task.name === "string" ? [task.name] : [])))];
