// A flow as phases with their tasks, and which phase follows which. Both kinds of flows are read.
import { describe } from "./conditions";
import type { Flow, WrittenTask } from "./edit";

export interface Task {
  id: string;
  name: string;
  target: string;
  isOff: boolean;
}

export interface Phase {
  id: string;
  name: string;
  tasks: Task[];
  next: { to: string; label: string }[];
  /** How many phases run before it, at the most. */
  level: number;
}

/** What the text of a configuration says; null if it is not the text of a flow. */
export function parseFlow(text: string, isConditional: boolean): { flow: Flow; rest: Record<string, unknown> } | null {
  try {
    const { phases = [], tasks = [], ...rest } = (JSON.parse(text) ?? {}) as Partial<Flow>;
    const isFlow = [phases, tasks].every((list) => Array.isArray(list) && list.every((each) => typeof each === "object" && each !== null && "id" in each));
    return isFlow ? { flow: { phases, tasks, isConditional }, rest } : null;
  } catch {
    return null;
  }
}

export const writeFlow = ({ phases, tasks }: Flow, rest: Record<string, unknown>): string => JSON.stringify({ ...rest, phases, tasks }, null, 2);

export function readFlow(flow: Flow): Phase[] {
  const { phases, tasks } = flow;
  const found = phases.map((phase): Phase => ({
    id: String(phase.id),
    name: phase.name ?? String(phase.id),
    tasks: tasks.filter((task) => String(task.phase) === String(phase.id)).map(toTask),
    next: [
      ...(phase.next ?? []).filter((each) => each.goto).map((each) => ({ to: String(each.goto), label: each.condition ? shorten(each.name || describe(each.condition, flow)) : "" })),
      ...phases.filter((each) => (each.dependsOn ?? []).some((id) => String(id) === String(phase.id))).map((each) => ({ to: String(each.id), label: "" })),
    ],
    level: 0,
  }));
  return withLevels(found);
}

const LABEL = 48;
const shorten = (text: string): string => (text.length > LABEL ? `${text.slice(0, LABEL)}…` : text);

function toTask({ id, name, enabled, task }: WrittenTask): Task {
  const target = task?.componentId ? `${task.componentId} ${task.configId ?? ""}` : (task?.type ?? "");
  return { id: String(id), name: name ?? String(id), target, isOff: enabled === false };
}

/** As many rounds as there are phases: a flow that goes back to an earlier phase still ends here. */
function withLevels(phases: Phase[]): Phase[] {
  const levels = new Map(phases.map((phase) => [phase.id, 0]));
  for (let round = 0; round < phases.length; round += 1)
    for (const phase of phases)
      for (const { to } of phase.next) levels.set(to, Math.min(phases.length, Math.max(levels.get(to) ?? 0, (levels.get(phase.id) ?? 0) + 1)));
  return phases.map((phase) => ({ ...phase, level: levels.get(phase.id) ?? 0 }));
}
