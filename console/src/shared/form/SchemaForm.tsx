// A form of a component's schema, beside the JSON of the same document.
import { useMemo } from "react";
import { findProblems, isMap, type Schema } from "../schema";
import { Members } from "./ObjectField";
import { shapeOf } from "./shape";

export function SchemaForm({ schema, text, onChange }: { schema: Schema; text: string; onChange: (text: string) => void }) {
  const problems = useMemo(() => findProblems(text, schema), [text, schema]);
  const document = useMemo(() => JSON.parse(text) as unknown, [text]);
  const own = isMap(document) ? document : {};
  const write = (next: unknown): void => onChange(JSON.stringify(next, null, 2));
  const { parameters, ...others } = schema.properties ?? {};
  if (!parameters || Object.keys(others).length) return <Members shape={shapeOf(schema, schema, document)} root={schema} value={document} path={[]} problems={problems} onChange={write} />;
  return <Members shape={shapeOf(parameters, schema, own["parameters"])} root={schema} value={own["parameters"]} path={["parameters"]} problems={problems} onChange={(next) => write({ ...own, parameters: next })} />;
}
