import type { Table } from "../../shared/api/types";

/** The statements of a text: semicolons in quotes and comments do not end one. */
export function splitStatements(text: string): string[] {
  const statements: string[] = [];
  let current = "";
  for (const [part] of text.matchAll(/'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$\$[\s\S]*?\$\$|[\s\S]/g)) {
    if (part === ";") {
      statements.push(current);
      current = "";
    } else current += part;
  }
  return [...statements, current].map((each) => each.trim()).filter((each) => each.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim());
}

/** A table as statements name it: its bucket and its name. */
export function quoted(table: Table): string {
  const at = table.id.lastIndexOf(".");
  return `"${table.id.slice(0, at)}"."${table.id.slice(at + 1)}"`;
}
