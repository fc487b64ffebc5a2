// Completion of SQL: tables by their names, and the columns of the tables that the statement names.
import type { Completion, CompletionContext, CompletionResult } from "@codemirror/autocomplete";
import { type SQLNamespace, sql, StandardSQL } from "@codemirror/lang-sql";
import type { Extension } from "@codemirror/state";

/** Columns by the id of their table. */
export type Names = Record<string, string[]>;

export function sqlWith(names: Names): Extension[] {
  const complete = (context: CompletionContext): CompletionResult | null => suggest(context, names);
  return [sql({ dialect: StandardSQL, schema: toNamespace(names), upperCaseKeywords: true }), StandardSQL.language.data.of({ autocomplete: complete })];
}

/** The bucket and the name of a table; a table of a workspace has no bucket. */
const split = (id: string): [string, string] => [id.slice(0, Math.max(0, id.lastIndexOf("."))), id.slice(id.lastIndexOf(".") + 1)];
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** After a bucket come its tables, after a table its columns. A dot in a name of a bucket is not a step. */
function toNamespace(names: Names): SQLNamespace {
  const tables: Record<string, string[]> = {};
  const buckets: Record<string, Record<string, string[]>> = {};
  for (const [id, columns] of Object.entries(names)) {
    const [bucket, table] = split(id);
    if (!bucket) tables[table] = columns;
    else (buckets[bucket.replaceAll(".", "\\.")] ??= {})[table] = columns;
  }
  return { ...tables, ...buckets };
}

function suggest(context: CompletionContext, names: Names): CompletionResult | null {
  const word = context.matchBefore(/[\w]+/);
  if (!word && !context.explicit) return null;
  const from = word?.from ?? context.pos;
  if (['"', ".", "'"].includes(context.state.sliceDoc(from - 1, from))) return null;
  const text = context.state.doc.toString();
  const options = Object.entries(names).flatMap(([id, columns]) => [toTable(id), ...(text.includes(split(id)[0] ? nameOf(id) : id) ? columns.map((column) => toColumn(column, id)) : [])]);
  return { from, options, validFor: /^\w*$/ };
}

const nameOf = (id: string): string => split(id).filter(Boolean).map(quote).join(".");
const toTable = (id: string): Completion => ({ label: split(id)[1], detail: split(id)[0], type: "class", apply: nameOf(id) });
const toColumn = (column: string, id: string): Completion => ({ label: column, detail: split(id)[1], type: "property", boost: 1, apply: /^[a-z_]\w*$/i.test(column) ? column : quote(column) });
