import type { Table } from "../../shared/api/types";

const PARTS = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|\/\*[\s\S]*?\*\/|\$\$[\s\S]*?\$\$|[\s\S]/g;
const isComment = (text: string): boolean => !text.replace(/--[^\n]*|\/\*[\s\S]*?\*\//g, "").trim();

/** The statements of a text with the semicolons that end them: those in quotes and comments do not. A comment after the last one stays with it. */
export function splitScript(text: string): string[] {
  const pieces: string[] = [""];
  for (const [part] of text.matchAll(PARTS)) {
    pieces[pieces.length - 1] += part;
    if (part === ";") pieces.push("");
  }
  const statements = pieces.map((each) => each.trim()).filter(Boolean);
  const last = statements.at(-1) ?? "";
  return statements.length > 1 && isComment(last) ? [...statements.slice(0, -2), `${statements.at(-2)}\n${last}`] : statements;
}

/** The statements of a text, as they are sent. */
export const splitStatements = (text: string): string[] => splitScript(text).map(withoutEnd).filter((each) => !isComment(each));

/** A comment behind the last semicolon goes with it. */
function withoutEnd(statement: string): string {
  const parts = [...statement.matchAll(PARTS)].map(([part]) => part);
  const end = parts.lastIndexOf(";");
  return (end < 0 ? statement : parts.slice(0, end).join("")).trim();
}

/** A table as statements name it: its bucket and its name. */
export function quoted(table: Table): string {
  const at = table.id.lastIndexOf(".");
  return `"${table.id.slice(0, at)}"."${table.id.slice(at + 1)}"`;
}
