// What a schema says about one value: references are resolved, alternatives and conditions decided by the value.
import { fits, hasType, isMap, type Path, resolve, type Schema } from "../schema";

export type Kind = "object" | "list" | "choice" | "boolean" | "number" | "string" | "json";

/** A reference that leads back to itself adds nothing: `above` are those that were followed. */
export function shapeOf(given: Schema, root: Schema, value: unknown, above: string[] = []): Schema {
  const { $ref, ...rest } = given;
  if ($ref && above.includes($ref)) return rest;
  const followed = $ref ? [...above, $ref] : above;
  const { allOf, anyOf, oneOf, if: condition, then, else: otherwise, ...plain } = $ref ? { ...resolve($ref, root), ...rest } : rest;
  const choices = anyOf ?? oneOf;
  const chosen = choices && (choices.find((each) => value !== undefined && fits(value, each, root)) ?? choices[0]);
  const conditional = condition && (fits(value, condition, root) ? then : otherwise);
  const parts = [...(allOf ?? []), chosen, conditional].filter((each) => each !== undefined);
  return parts.reduce<Schema>((all, each) => merge(all, shapeOf(each, root, value, followed)), plain);
}

/** What the first says about itself wins; both say which properties there are. */
function merge(one: Schema, other: Schema): Schema {
  const properties = { ...one.properties };
  for (const [key, each] of Object.entries(other.properties ?? {})) properties[key] = properties[key] ? { allOf: [properties[key], each] } : each;
  const required = [...new Set([...(one.required ?? []), ...(other.required ?? [])])];
  return { ...other, ...one, properties, required };
}

/** How a value is edited. One that the schema does not expect, such as a function in place of a text, is edited as JSON. */
export function kindOf(shape: Schema, value: unknown): Kind {
  if (shape.enum) return value === undefined || shape.enum.includes(value) || typeof value !== "object" ? "choice" : "json";
  const types = [shape.type ?? (Object.keys(shape.properties ?? {}).length ? "object" : [])].flat();
  const type = types.find((each) => value !== undefined && value !== null && hasType(value, each)) ?? (value === undefined || value === null || typeof value !== "object" ? types.find((each) => each !== "null") : undefined);
  if (type === "object") return Object.keys(shape.properties ?? {}).length ? "object" : "json";
  if (type === "array") return shape.items ? "list" : "json";
  if (type === "integer") return "number";
  return type === "boolean" || type === "number" || type === "string" ? type : "json";
}

export function initialOf(given: Schema, root: Schema): unknown {
  const shape = shapeOf(given, root, undefined);
  if (shape.default !== undefined) return shape.default;
  const kind = kindOf(shape, undefined);
  if (kind === "choice") return shape.enum?.[0];
  if (kind === "json") return [shape.type].flat()[0] === "array" ? [] : {};
  return { object: {}, list: [], boolean: true, number: shape.minimum ?? 1, string: "" }[kind];
}

/** What the schema says about the value at a path of a document. */
export function shapeAt(schema: Schema, document: unknown, path: Path): Schema {
  let [at, value] = [shapeOf(schema, schema, document), document];
  for (const key of path) {
    value = Array.isArray(value) ? value[Number(key)] : isMap(value) ? value[key] : undefined;
    const { additionalProperties: more } = at;
    const next = typeof key === "number" ? at.items : (at.properties?.[key] ?? (isMap(more) ? (more as Schema) : undefined));
    at = next ? shapeOf(next, schema, value) : {};
  }
  return at;
}

export const labelOf = (name: string, shape: Schema): string => shape.title ?? name.replace(/^#/, "").replace(/([a-z0-9])([A-Z])/g, "$1 $2").replace(/[_.-]+/g, " ").replace(/^./, (first) => first.toUpperCase());
