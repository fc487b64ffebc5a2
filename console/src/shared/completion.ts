// Completes JSON as its schema says: names of settings, and the values that a setting may have.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { syntaxTree } from "@codemirror/language";
import type { EditorState } from "@codemirror/state";
import { initialOf, shapeAt } from "./form/shape";
import { isMap, type Path, type Schema } from "./schema";

type SyntaxNode = ReturnType<typeof syntaxTree>["topNode"];

export function completeJson(schema: Schema) {
  return (context: CompletionContext): CompletionResult | null => {
    const node = syntaxTree(context.state).resolveInner(context.pos, -1);
    const word = context.matchBefore(/"?[\w#.-]*/);
    if (!word || (word.from === word.to && !context.explicit)) return null;
    const isValue = /:\s*$/.test(context.state.sliceDoc(Math.max(0, word.from - 20), word.from)) || node.parent?.name === "Array";
    const path = pathOf(isValue ? node : around(node, "Object"), context.state);
    const shape = shapeAt(schema, lenient(context.state.sliceDoc()), path);
    const options = isValue ? valuesOf(shape) : namesOf(shape, schema);
    const to = context.state.sliceDoc(context.pos, context.pos + 1) === '"' ? context.pos + 1 : context.pos;
    return options.length ? { from: word.from, to, options } : null;
  };
}

function namesOf(shape: Schema, root: Schema): Completion[] {
  return Object.entries(shape.properties ?? {}).map(([key, each]) => ({
    label: JSON.stringify(key),
    apply: `${JSON.stringify(key)}: ${JSON.stringify(initialOf(each, root))}`,
    type: "property",
    ...(each.description && { info: each.description }),
  }));
}

function valuesOf(shape: Schema): Completion[] {
  const values = shape.enum ?? ([shape.type].flat().includes("boolean") ? [true, false] : []);
  return values.map((each) => ({ label: JSON.stringify(each), type: "constant" }));
}

const around = (node: SyntaxNode, name: string): SyntaxNode => (node.name === name || !node.parent ? node : around(node.parent, name));

function pathOf(from: SyntaxNode, state: EditorState): Path {
  const path: Path = [];
  for (let node: SyntaxNode | null = from; node; node = node.parent) {
    const name = node.name === "Property" ? node.getChild("PropertyName") : null;
    if (name) path.unshift(JSON.parse(state.sliceDoc(name.from, name.to)) as string);
    if (node.parent?.name === "Array") path.unshift(indexIn(node));
  }
  return path;
}

function indexIn(item: SyntaxNode): number {
  let at = 0;
  for (let node = item.prevSibling; node; node = node.prevSibling) if (!/[[\],⚠]/.test(node.name)) at += 1;
  return at;
}

/** The document, if it is whole: it decides between alternatives of the schema. */
function lenient(text: string): unknown {
  try {
    const found = JSON.parse(text) as unknown;
    return isMap(found) ? found : {};
  } catch {
    return {};
  }
}
