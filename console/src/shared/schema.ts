// What a configuration does not have as its JSON schema says. It covers what the schemas of components use; the server
// checks everything when a job runs.
export type Path = (string | number)[];

export interface Problem {
  path: Path;
  message: string;
}

export interface Schema {
  title?: string;
  description?: string;
  default?: unknown;
  format?: string;
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  const?: unknown;
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  not?: Schema;
  if?: Schema;
  then?: Schema;
  else?: Schema;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  pattern?: string;
  minItems?: number;
  maxItems?: number;
  minProperties?: number;
  maxProperties?: number;
  $ref?: string;
  $defs?: Record<string, Schema>;
  definitions?: Record<string, Schema>;
}

export function findProblems(text: string, schema: unknown): Problem[] {
  if (!schema || typeof schema !== "object" || Object.keys(schema).length === 0) return [];
  try {
    return check(JSON.parse(text), schema as Schema, schema as Schema, []);
  } catch {
    return [];
  }
}

export const fits = (value: unknown, schema: Schema, root: Schema, above: string[] = []): boolean => check(value, schema, root, [], above).length === 0;

/** A reference that leads back to itself at the same value says nothing more: `above` are those that were followed. */
function check(value: unknown, given: Schema, root: Schema, path: Path, above: string[] = []): Problem[] {
  if (given.$ref && above.includes(given.$ref)) return [];
  const followed = given.$ref ? [...above, given.$ref] : above;
  const schema = given.$ref ? resolve(given.$ref, root) : given;
  const say = (what: string): Problem[] => [{ path, message: `${name(path)} ${what}.` }];
  if (!hasType(value, schema.type)) return say(`must be ${[schema.type].flat().join(" or ")}`);
  const allowed = "const" in schema ? [schema.const] : schema.enum;
  if (allowed && !allowed.includes(value)) return say(`must be ${allowed.length > 1 ? "one of " : ""}${allowed.map((each) => JSON.stringify(each)).join(", ")}`);
  if (schema.not && fits(value, schema.not, root, followed)) return say("has a value that is not allowed");
  return [
    ...checkScalar(value, schema).flatMap(say),
    ...checkSize(value, schema).flatMap(say),
    ...checkChoices(value, schema.anyOf ?? schema.oneOf, root, path, followed),
    ...checkList(value, schema, root, path),
    ...checkMap(value, schema, root, path),
    ...(schema.allOf ?? []).flatMap((each) => check(value, each, root, path, followed)),
    ...checkCondition(value, schema, root, path, followed),
  ];
}

function checkScalar(value: unknown, { minimum, maximum, minLength, pattern }: Schema): string[] {
  if (typeof value === "number" && minimum !== undefined && value < minimum) return [`must be at least ${minimum}`];
  if (typeof value === "number" && maximum !== undefined && value > maximum) return [`must be at most ${maximum}`];
  if (typeof value === "string" && minLength !== undefined && value.length < minLength) return [minLength === 1 ? "must not be empty" : `must have at least ${minLength} characters`];
  if (typeof value === "string" && pattern && !matches(pattern, value)) return [`must match ${pattern}`];
  return [];
}

/** What is not a pattern here, such as one of another language, is left to the server. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, "u").test(value);
  } catch {
    return true;
  }
}

function checkSize(value: unknown, schema: Schema): string[] {
  const [size, least, most] = Array.isArray(value) ? [value.length, schema.minItems, schema.maxItems] : isMap(value) ? [Object.keys(value).length, schema.minProperties, schema.maxProperties] : [0, 0, 0];
  if (least && size < least) return [`must have at least ${least} item${least > 1 ? "s" : ""}`];
  return most !== undefined && size > most ? [most ? `must have at most ${most} items` : "must be empty"] : [];
}

/** Of the alternative that is nearest. */
function checkChoices(value: unknown, choices: Schema[] | undefined, root: Schema, path: Path, above: string[]): Problem[] {
  const found = (choices ?? []).map((each) => check(value, each, root, path, above));
  return found.some((each) => each.length === 0) ? [] : (found.sort((a, b) => a.length - b.length)[0] ?? []);
}

function checkCondition(value: unknown, schema: Schema, root: Schema, path: Path, above: string[]): Problem[] {
  if (!schema.if) return [];
  const then = fits(value, schema.if, root, above) ? schema.then : schema.else;
  return then ? check(value, then, root, path, above) : [];
}

function checkList(value: unknown, { items }: Schema, root: Schema, path: Path): Problem[] {
  return Array.isArray(value) && items ? value.flatMap((each, at) => check(each, items, root, [...path, at])) : [];
}

function checkMap(value: unknown, schema: Schema, root: Schema, path: Path): Problem[] {
  if (!isMap(value)) return [];
  const missing = (schema.required ?? []).filter((key) => !(key in value)).map((key) => ({ path: [...path, key], message: `${name(path)} needs "${key}".` }));
  const known = schema.properties ?? {};
  const others = Object.keys(value).filter((key) => !(key in known));
  const { additionalProperties: more } = schema;
  const refused = others.flatMap((key) => (more === false ? [{ path: [...path, key], message: `${name([...path, key])} is not known.` }] : isMap(more) ? check(value[key], more, root, [...path, key]) : []));
  return [...missing, ...refused, ...Object.entries(known).flatMap(([key, each]) => (key in value ? check(value[key], each, root, [...path, key]) : []))];
}

export function hasType(value: unknown, type: Schema["type"]): boolean {
  if (!type) return true;
  return [type].flat().some((each) => {
    if (each === "object") return isMap(value);
    if (each === "array") return Array.isArray(value);
    if (each === "null") return value === null;
    if (each === "integer") return Number.isInteger(value);
    return typeof value === each;
  });
}

export function resolve(ref: string, root: Schema): Schema {
  const found = ref.replace(/^#\//, "").split("/").reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root);
  return (found ?? {}) as Schema;
}

export const isMap = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const name = (path: Path): string => (path.length ? path.join(".") : "The configuration");
