// The schema of a whole configuration. That of a component is the schema of its `parameters`, whether or not the component
// has an example of an empty configuration; only these are described as a whole.
import type { Component } from "../../shared/api/types";

const WHOLE = new Set(["keboola.flow", "keboola.orchestrator", "keboola.scheduler", "keboola.variables", "keboola.shared-code"]);

type About = Pick<Component, "id" | "configurationSchema" | "editorSchema">;

export function wholeSchema(about: About | undefined): unknown {
  const schema = about?.editorSchema ?? about?.configurationSchema;
  return about && WHOLE.has(about.id) ? (schema && Object.keys(schema).length ? schema : undefined) : wrap(schema);
}

export function wrap(schema: object | undefined): unknown {
  if (!schema || !Object.keys(schema).length) return undefined;
  const { $defs, definitions } = schema as { $defs?: unknown; definitions?: unknown };
  return { type: "object", properties: { parameters: schema }, $defs, definitions };
}
