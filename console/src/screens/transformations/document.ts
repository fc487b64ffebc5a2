// A transformation as its editor reads and changes it. What a change does not concern stays as it is written, fields that are not known here too.
import { isMap } from "../../shared/schema";
import { splitScript } from "../sql/statements";

export interface Code {
  name?: string;
  script?: string[] | string;
}

export interface Block {
  name?: string;
  codes?: Code[];
}

export interface Input {
  source?: string;
  destination?: string;
  columns?: string[];
  changed_since?: string;
}

export interface Output {
  source?: string;
  destination?: string;
  primary_key?: string[];
  incremental?: boolean;
}

export interface Document {
  parameters: { blocks: Block[]; packages?: string[] };
  storage: { input: { tables: Input[] }; output: { tables: Output[] } };
}

export type Language = "sql" | "python";

export const languageOf = (component: string): Language => (component.includes("python") ? "python" : "sql");

/** The document with its parts where the editor expects them; none if it has another form, which only the JSON shows. */
export function read(text: string): Document | undefined {
  const written = parse(text);
  const { parameters = {}, storage = {} } = isMap(written) ? (written as Partial<Document>) : {};
  if (!isMap(written) || !isMap(parameters) || !isMap(storage) || "script" in parameters) return undefined;
  const { input = {}, output = {} } = storage as { input?: unknown; output?: unknown };
  if (!isMap(input) || !isMap(output)) return undefined;
  const whole = {
    ...written,
    parameters: { ...parameters, blocks: parameters.blocks ?? [] },
    storage: { ...storage, input: { ...input, tables: input["tables"] ?? [] }, output: { ...output, tables: output["tables"] ?? [] } },
  } as Document;
  const lists: unknown[] = [whole.parameters.blocks, whole.storage.input.tables, whole.storage.output.tables];
  return lists.every(isListOfMaps) && whole.parameters.blocks.every(({ codes = [] }) => isListOfMaps(codes) && codes.every(hasTexts)) ? whole : undefined;
}

const isListOfMaps = (value: unknown): boolean => Array.isArray(value) && value.every(isMap);
const hasTexts = ({ script = [] }: Code): boolean => typeof script === "string" || (Array.isArray(script) && script.every((each) => typeof each === "string"));

function parse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

export const write = (document: Document): string => JSON.stringify(document, null, 2);

/** The code as one text, as it is edited. */
export const textOf = ({ script = [] }: Code, language: Language): string => (typeof script === "string" ? script : script.join(language === "sql" ? "\n\n" : "\n"));

/** SQL is stored statement by statement, Python as one text. */
export const toScript = (text: string, language: Language): string[] => (language === "sql" ? splitScript(text) : text.trim() ? [text] : []);

/** The list with another item at a place; without that item if there is none. */
export const replaceAt = <T>(items: T[], at: number, item?: T): T[] => items.flatMap((each, index) => (index === at ? (item === undefined ? [] : [item]) : [each]));

export function moveUp<T>(items: T[], at: number): T[] {
  const moved = [...items];
  moved.splice(at - 1, 2, items[at] as T, items[at - 1] as T);
  return moved;
}

export const changeCode = (blocks: Block[], block: number, at: number, code?: Code): Block[] =>
  replaceAt(blocks, block, { ...blocks[block], codes: replaceAt(blocks[block]?.codes ?? [], at, code) });

/** The name of a table in the code: that of the table without its bucket. */
export const nameFor = (source: string): string => source.slice(source.lastIndexOf(".") + 1);
