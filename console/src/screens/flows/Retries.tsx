// What happens when a task fails: it is tried again, or the flow goes on.
import { Button, NumberInput, Popover, Stack, Switch } from "@mantine/core";
import { changeJob, type Flow, type Job, type WrittenTask } from "./edit";

export function Retries({ flow, task, onChange }: { flow: Flow; task: WrittenTask; onChange: (flow: Flow) => void }) {
  const name = task.name ?? String(task.id);
  const { maxRetries, delay } = task.task?.retry?.strategyParams ?? {};
  const set = (part: { maxRetries?: number; delay?: number }): void => {
    const { retry: earlier, ...job } = task.task ?? {};
    const params = { ...earlier?.strategyParams, ...part };
    const retry = { strategy: "linear", ...earlier, strategyParams: params };
    onChange(changeJob(flow, task.id, (params.maxRetries ? { ...job, retry } : job) as Job));
  };
  const said = flow.isConditional ? (maxRetries ? `Tried ${maxRetries} times more` : "If it fails") : task.continueOnFailure ? "The flow goes on if it fails" : "If it fails";
  return (
    <Popover position="bottom-end" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target><Button size="compact-xs" variant="subtle" color="gray" aria-label={`${said}: ${name}`}>{said}</Button></Popover.Target>
      <Popover.Dropdown>
        {flow.isConditional ? (
          <Stack gap="xs">
            <NumberInput size="xs" label="How often it is tried again" min={0} max={20} value={maxRetries ?? 0} onChange={(value) => set({ maxRetries: Number(value) || 0 })} />
            <NumberInput size="xs" label="Seconds between two tries" min={0} value={delay ?? 10} disabled={!maxRetries} onChange={(value) => set({ delay: Number(value) || 0 })} />
          </Stack>
        ) : <Switch label="The flow goes on" checked={task.continueOnFailure ?? false} onChange={(event) => onChange({ ...flow, tasks: flow.tasks.map((each) => (each === task ? { ...task, continueOnFailure: event.currentTarget.checked } : each)) })} />}
      </Popover.Dropdown>
    </Popover>
  );
}
