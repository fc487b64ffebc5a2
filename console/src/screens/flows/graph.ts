// A flow as phases with their tasks, and which phase follows which. Both kinds of flows are read.
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

interface Written {
  phases?: { id: string | number; name?: string; dependsOn?: (string | number)[]; next?: { goto?: string | null; name?: string; condition?: unknown }[] }[];
  tasks?: { id: string | number; name?: string; phase: string | number; enabled?: boolean; task?: { type?: string; componentId?: string; configId?: string } }[];
}

export function readFlow(configuration: unknown): Phase[] {
  const { phases = [], tasks = [] } = (configuration ?? {}) as Written;
  if (!Array.isArray(phases) || !Array.isArray(tasks)) return [];
  const found = phases.map((phase): Phase => ({
    id: String(phase.id),
    name: phase.name ?? String(phase.id),
    tasks: tasks.filter((task) => String(task.phase) === String(phase.id)).map(toTask),
    next: [
      ...(phase.next ?? []).filter((each) => each.goto).map((each) => ({ to: String(each.goto), label: each.condition ? (each.name ?? "if") : "" })),
      ...phases.filter((each) => (each.dependsOn ?? []).some((id) => String(id) === String(phase.id))).map((each) => ({ to: String(each.id), label: "" })),
    ],
    level: 0,
  }));
  return withLevels(found);
}

function toTask({ id, name, enabled, task }: NonNullable<Written["tasks"]>[number]): Task {
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
