// What a configuration does not have as its JSON schema says. It covers what the schemas of components use; the server
// checks everything when a job runs.
export interface Problem {
  path: (string | number)[];
  message: string;
}

interface Schema {
  type?: string | string[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  enum?: unknown[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minimum?: number;
  maximum?: number;
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

function check(value: unknown, given: Schema, root: Schema, path: Problem["path"]): Problem[] {
  const schema = given.$ref ? resolve(given.$ref, root) : given;
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) {
    const found = choices.map((each) => check(value, each, root, path));
    return found.some((each) => each.length === 0) ? [] : (found.sort((a, b) => a.length - b.length)[0] ?? []);
  }
  if (!hasType(value, schema.type)) return [{ path, message: `${name(path)} must be ${[schema.type].flat().join(" or ")}.` }];
  if (schema.enum && !schema.enum.includes(value)) return [{ path, message: `${name(path)} must be one of ${schema.enum.map((each) => JSON.stringify(each)).join(", ")}.` }];
  return [...checkNumber(value, schema, path), ...checkList(value, schema, root, path), ...checkMap(value, schema, root, path), ...(schema.allOf ?? []).flatMap((each) => check(value, each, root, path))];
}

function checkNumber(value: unknown, { minimum, maximum }: Schema, path: Problem["path"]): Problem[] {
  if (typeof value !== "number") return [];
  if (minimum !== undefined && value < minimum) return [{ path, message: `${name(path)} must be at least ${minimum}.` }];
  if (maximum !== undefined && value > maximum) return [{ path, message: `${name(path)} must be at most ${maximum}.` }];
  return [];
}

function checkList(value: unknown, { items }: Schema, root: Schema, path: Problem["path"]): Problem[] {
  return Array.isArray(value) && items ? value.flatMap((each, at) => check(each, items, root, [...path, at])) : [];
}

function checkMap(value: unknown, schema: Schema, root: Schema, path: Problem["path"]): Problem[] {
  if (!isMap(value)) return [];
  const missing = (schema.required ?? []).filter((key) => !(key in value)).map((key) => ({ path, message: `${name(path)} needs "${key}".` }));
  const known = schema.properties ?? {};
  const others = Object.keys(value).filter((key) => !(key in known));
  const refused = schema.additionalProperties === false ? others.map((key) => ({ path: [...path, key], message: `${name([...path, key])} is not known.` })) : [];
  return [...missing, ...refused, ...Object.entries(known).flatMap(([key, each]) => (key in value ? check(value[key], each, root, [...path, key]) : []))];
}

function hasType(value: unknown, type: Schema["type"]): boolean {
  if (!type) return true;
  return [type].flat().some((each) => {
    if (each === "object") return isMap(value);
    if (each === "array") return Array.isArray(value);
    if (each === "null") return value === null;
    if (each === "integer") return Number.isInteger(value);
    return typeof value === each;
  });
}

function resolve(ref: string, root: Schema): Schema {
  const found = ref.replace(/^#\//, "").split("/").reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], root);
  return (found ?? {}) as Schema;
}

const isMap = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null && !Array.isArray(value);
const name = (path: Problem["path"]): string => (path.length ? path.join(".") : "The configuration");
