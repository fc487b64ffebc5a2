// The conditions of a flow in words, and those that are made by choosing. Others are written as JSON, and stay as they are.
import { isMap } from "../../shared/schema";
import type { Flow } from "./edit";

export type Kind = "anyFailed" | "allSucceeded" | "task" | "variable" | "other";

export interface Choice {
  kind: Kind;
  /** The id of a task, or the name of a variable. */
  subject: string;
  value: string;
}

interface Node {
  type?: string;
  value?: unknown;
  phase?: string;
  task?: string;
  tasks?: string[];
  function?: string;
  operator?: string;
  operands?: Node[];
}

export const KINDS: { value: Kind; label: string }[] = [
  { value: "anyFailed", label: "a task of this phase fails" },
  { value: "allSucceeded", label: "all tasks of this phase succeed" },
  { value: "task", label: "a task ends as" },
  { value: "variable", label: "a variable is" },
];
export const OUTCOMES = ["success", "warning", "error", "skipped", "terminated", "cancelled"];

const EACH = "*";
const STATUS = ["status", "job.status"];

export function makeCondition({ kind, subject, value }: Choice, phase: string): Node {
  if (kind === "task") return equals({ type: "task", task: subject, value: "status" }, value);
  if (kind === "variable") return equals({ type: "variable", value: subject }, value);
  const [operator, status] = kind === "anyFailed" ? ["ANY_TASKS_IN_PHASE", "error"] : ["ALL_TASKS_IN_PHASE", "success"];
  return { type: "operator", operator, phase, operands: [equals({ type: "task", task: EACH, value: "status" }, status ?? "")] };
}

const equals = (asked: Node, value: string): Node => ({ type: "operator", operator: "EQUALS", operands: [asked, { type: "const", value }] });

/** What was chosen, if the condition could have been made by choosing. */
export function readCondition(condition: unknown, phase: string): Choice {
  const node = (isMap(condition) ? condition : {}) as Node;
  const [asked, compared] = node.operands ?? [];
  const value = String(compared?.value ?? "");
  const isStatus = asked?.type === "task" && STATUS.includes(String(asked.value));
  const found = (["anyFailed", "allSucceeded"] as const).find((kind) => isSame(node, makeCondition({ kind, subject: "", value: "" }, phase)));
  if (found) return { kind: found, subject: "", value: "" };
  const isEquality = node.operator === "EQUALS" && node.operands?.length === 2 && ["const", "constant"].includes(compared?.type ?? "") && typeof compared?.value === "string";
  if (isEquality && isStatus && asked.task !== EACH) return { kind: "task", subject: String(asked.task ?? ""), value };
  if (isEquality && asked?.type === "variable") return { kind: "variable", subject: String(asked.value ?? ""), value };
  return { kind: "other", subject: "", value: "" };
}

/** Whether they are the same, in whatever order they are written. */
function isSame(one: unknown, other: unknown): boolean {
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((each, at) => isSame(each, other[at]));
  if (!isMap(one) || !isMap(other)) return one === other;
  return Object.keys(one).length === Object.keys(other).length && Object.entries(one).every(([key, each]) => isSame(each, other[key]));
}

const BETWEEN: Record<string, string> = { EQUALS: "is", NOT_EQUALS: "is not", GREATER_THAN: ">", LESS_THAN: "<", INCLUDES: "includes", CONTAINS: "contains", AND: "and", OR: "or" };

export function describe(condition: unknown, flow: Flow): string {
  const node = (isMap(condition) ? condition : {}) as Node;
  const operands = (node.operands ?? []).map((each) => describe(each, flow));
  const phase = `"${nameOf(flow.phases, node.phase)}"`;
  switch (node.type) {
    case "const":
    case "constant":
      return typeof node.value === "string" ? node.value : JSON.stringify(node.value ?? null);
    case "variable":
      return String(node.value ?? "");
    case "phase":
      return `phase ${phase}`;
    case "task":
      return `${node.task === EACH ? "its result" : `"${nameOf(flow.tasks, node.task)}"`}${STATUS.includes(String(node.value)) ? "" : ` ${String(node.value ?? "")}`}`;
    case "array":
      return `(${operands.join(", ")})`;
    case "function":
      return `${(node.function ?? "").toLowerCase()} of ${operands.join(", ")}`;
  }
  if (node.operator === "ANY_TASKS_IN_PHASE") return `of a task of ${phase} ${operands[0] ?? ""}`;
  if (node.operator === "ALL_TASKS_IN_PHASE") return `of all tasks of ${phase} ${operands[0] ?? ""}`;
  if (node.operator === "ANY_TASKS_IN_ANY_PHASE") return `of any task ${operands[0] ?? ""}`;
  if (node.operator === "CONTINUE_ON_FAILURE") return `only ${(node.tasks ?? []).map((each) => `"${nameOf(flow.tasks, each)}"`).join(", ")} failed in ${phase}`;
  return operands.join(` ${BETWEEN[node.operator ?? ""] ?? "?"} `);
}

const nameOf = (named: { id: string | number; name?: string }[], id: unknown): string => named.find((each) => String(each.id) === String(id))?.name ?? String(id ?? "");

/** The names of the phases of a conditional flow that no transition leads to. */
export function findUnreachable({ phases, isConditional }: Flow): string[] {
  if (!isConditional) return [];
  const reached = new Set<string>();
  const open = phases.slice(0, 1).map(({ id }) => String(id));
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (reached.has(id)) continue;
    reached.add(id);
    for (const { goto } of phases.find((each) => String(each.id) === id)?.next ?? []) if (goto) open.push(String(goto));
  }
  return phases.filter(({ id }) => !reached.has(String(id))).map(({ id, name }) => name ?? String(id));
}
