// Statements of the editor as a transformation. It has its tables under short names, and writes a table at the end.
import type { Table } from "../../shared/api/types";
import { quoted, splitStatements } from "./statements";

interface Transformation {
  configuration: object;
  reads: string[];
  hasResult: boolean;
}

export function toTransformation(text: string, tables: Table[], name: string, output: string): Transformation {
  const used = tables.filter((table) => text.includes(quoted(table)));
  const names = shortNames(used);
  const renamed = used.reduce((sql, table) => sql.replaceAll(quoted(table), `"${names.get(table.id)}"`), text);
  const script = splitStatements(renamed);
  const last = script.at(-1) ?? "";
  const hasResult = /^(\s|--[^\n]*\n|\/\*[\s\S]*?\*\/)*(select|with|from|values)\b/i.test(last);
  if (hasResult) script[script.length - 1] = `CREATE OR REPLACE TABLE "result" AS\n${last}`;
  return {
    configuration: {
      parameters: { blocks: [{ name, codes: [{ name, script: script.map((each) => `${each};`) }] }] },
      storage: {
        input: { tables: used.map(({ id }) => ({ source: id, destination: names.get(id) })) },
        output: { tables: hasResult ? [{ source: "result", destination: output }] : [] },
      },
    },
    reads: used.map(({ id }) => id),
    hasResult,
  };
}

/** The name of the table, with its bucket if two have the same or if the result has it. */
function shortNames(tables: Table[]): Map<string, string> {
  const isTaken = (name: string): boolean => name === "result" || tables.filter((table) => table.name === name).length > 1;
  return new Map(tables.map((table) => [table.id, isTaken(table.name) ? table.id.replace(/[^A-Za-z0-9_]+/g, "_") : table.name]));
}
