// Changes of a flow, for both kinds. What a change does not concern stays as it is written, fields that are not known here too.
export type Id = string | number;

export interface Transition {
  id?: Id;
  /** None for the end of the flow. */
  goto?: Id | null;
  name?: string;
  condition?: unknown;
}

export interface WrittenPhase {
  id: Id;
  name?: string;
  dependsOn?: Id[];
  next?: Transition[];
}

export interface Job {
  type?: string;
  /** Of a variable. */
  name?: unknown;
  componentId?: string;
  configId?: string;
  mode?: string;
  retry?: { strategy?: string; strategyParams?: { maxRetries?: number; delay?: number } };
}

export interface WrittenTask {
  id: Id;
  name?: string;
  phase: Id;
  enabled?: boolean;
  continueOnFailure?: boolean;
  task?: Job;
}

export interface Flow {
  phases: WrittenPhase[];
  tasks: WrittenTask[];
  isConditional: boolean;
}

export interface Target {
  component: string;
  config: string;
  name: string;
}

const same = (a: Id | null | undefined, b: Id): boolean => String(a) === String(b);

/** In conditional flows ids are texts, in the others numbers. */
function newId(flow: Flow, taken: { id: Id }[], word: string): Id {
  if (!flow.isConditional) return Math.max(0, ...taken.map(({ id }) => Number(id) || 0)) + 1;
  for (let number = taken.length + 1; ; number += 1) if (!taken.some(({ id }) => same(id, `${word}-${number}`))) return `${word}-${number}`;
}

export function addPhase(flow: Flow): Flow {
  const id = newId(flow, flow.phases, "phase");
  const phase = { id, name: `Phase ${flow.phases.length + 1}`, ...(flow.isConditional ? { next: [] } : { dependsOn: [] }) };
  const last = flow.phases.at(-1);
  const added = { ...flow, phases: [...flow.phases, phase] };
  return last && !(last.next ?? []).some((each) => !each.condition && each.goto) ? connect(added, last.id, id) : added;
}

export const renamePhase = (flow: Flow, id: Id, name: string): Flow => changePhase(flow, id, (phase) => ({ ...phase, name }));

/** With its tasks, and with what leads to it. */
export function removePhase(flow: Flow, id: Id): Flow {
  const phases = flow.phases.filter((phase) => !same(phase.id, id)).map((phase) => ({
    ...phase,
    ...(phase.dependsOn && { dependsOn: phase.dependsOn.filter((each) => !same(each, id)) }),
    ...(phase.next && { next: withEnd(phase.next.filter((each) => !same(each.goto, id))) }),
  }));
  return { ...flow, phases, tasks: flow.tasks.filter((task) => !same(task.phase, id)) };
}

/** A conditional flow begins with its first phase. */
export function beginWith(flow: Flow, id: Id): Flow {
  const first = flow.phases.filter((phase) => same(phase.id, id));
  return { ...flow, phases: [...first, ...flow.phases.filter((phase) => !same(phase.id, id))] };
}

/** A conditional phase has one transition without a condition, its last. */
export function connect(flow: Flow, from: Id, to: Id): Flow {
  if (same(from, to)) return flow;
  if (flow.isConditional) return changePhase(flow, from, (phase) => ({ ...phase, next: [...(phase.next ?? []).filter((each) => each.condition), { id: `to-${to}`, goto: to }] }));
  return changePhase(flow, to, (phase) => ({ ...phase, dependsOn: [...(phase.dependsOn ?? []).filter((each) => !same(each, from)), from] }));
}

/** One transition has to decide if no condition is met: without another, the flow ends then. */
const withEnd = (next: Transition[]): Transition[] => (next.length && next.every((each) => each.condition) ? [...next, { id: "otherwise", goto: null }] : next);

export const changeTransitions = (flow: Flow, id: Id, conditional: Transition[]): Flow =>
  changePhase(flow, id, (phase) => ({ ...phase, next: withEnd([...conditional, ...(phase.next ?? []).filter((each) => !each.condition)]) }));

export function disconnect(flow: Flow, from: Id, to: Id): Flow {
  if (flow.isConditional) return changePhase(flow, from, (phase) => ({ ...phase, next: withEnd((phase.next ?? []).filter((each) => !same(each.goto, to))) }));
  return changePhase(flow, to, (phase) => ({ ...phase, dependsOn: (phase.dependsOn ?? []).filter((each) => !same(each, from)) }));
}

export function addTask(flow: Flow, phase: Id, { component, config, name }: Target): Flow {
  const job = { componentId: component, configId: config, mode: "run" };
  const task = flow.isConditional ? { task: { type: "job", ...job } } : { enabled: true, continueOnFailure: false, task: job };
  return { ...flow, tasks: [...flow.tasks, { id: newId(flow, flow.tasks, "task"), name, phase, ...task }] };
}

export const removeTask = (flow: Flow, id: Id): Flow => ({ ...flow, tasks: flow.tasks.filter((task) => !same(task.id, id)) });
export const moveTask = (flow: Flow, id: Id, phase: Id): Flow => changeTask(flow, id, (task) => ({ ...task, phase: idOf(flow, phase) }));
export const enableTask = (flow: Flow, id: Id, enabled: boolean): Flow => changeTask(flow, id, (task) => ({ ...task, enabled }));

export const changeJob = (flow: Flow, id: Id, job: Job): Flow => changeTask(flow, id, (task) => ({ ...task, task: job }));

/** An id as the flow writes it: those of the graph are texts. */
export const idOf = (flow: Flow, id: Id): Id => flow.phases.find((phase) => same(phase.id, id))?.id ?? id;

const changePhase = (flow: Flow, id: Id, change: (phase: WrittenPhase) => WrittenPhase): Flow => ({ ...flow, phases: flow.phases.map((each) => (same(each.id, id) ? change(each) : each)) });
const changeTask = (flow: Flow, id: Id, change: (task: WrittenTask) => WrittenTask): Flow => ({ ...flow, tasks: flow.tasks.map((each) => (same(each.id, id) ? change(each) : each)) });
