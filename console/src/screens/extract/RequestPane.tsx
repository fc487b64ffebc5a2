import { Code, Stack } from "@mantine/core";
import { Field } from "../../shared/form/Field";
import { shapeOf } from "../../shared/form/shape";
import { Section } from "../../shared/parts";
import { findProblems, type Schema } from "../../shared/schema";
import type { Document, PageView } from "./actions";
import { getAt, type Keys, setAt } from "./document";

interface Props {
  document: Document;
  job: Keys;
  onChange: (document: Document) => void;
  schema: Schema;
  page: PageView | undefined;
}

/** The settings of the request, and the request that was sent. */
export function RequestPane({ document, job, onChange, schema, page }: Props) {
  const api = shapeOf(schema.properties?.["api"] ?? {}, schema, undefined).properties ?? {};
  const ofJob = shapeOf(schema.definitions?.["job"] ?? {}, schema, undefined).properties ?? {};
  const whole = { type: "object", properties: { parameters: schema }, definitions: schema.definitions ?? {} };
  const problems = findProblems(JSON.stringify(document), whole);
  const field = (name: string, known: Schema | undefined, path: Keys, isRequired = false) => (
    <Field key={name} name={name} schema={known ?? { type: "string" }} root={schema} value={getAt(document, path)} path={path} problems={problems} isRequired={isRequired} onChange={(value) => onChange(setAt(document, path, value) as Document)} />
  );
  return (
    <Section title="Request">
      <Stack gap="sm" className="pane">
        {page && <Sent page={page} />}
        {field("baseUrl", api["baseUrl"], ["parameters", "api", "baseUrl"], true)}
        {field("endpoint", ofJob["endpoint"], [...job, "endpoint"], true)}
        {field("pagination", api["pagination"], ["parameters", "api", "pagination"])}
        {field("params", ofJob["params"], [...job, "params"])}
        {field("method", ofJob["method"], [...job, "method"])}
      </Stack>
    </Section>
  );
}

function Sent({ page: { request } }: { page: PageView }) {
  return (
    <div>
      <Code block className="sent" tabIndex={0} aria-label="Request that was sent">{[`${request.method} ${request.url}`, ...Object.entries(request.headers).map(([name, value]) => `${name}: ${value}`), ...(request.data ? ["", request.data] : [])].join("\n")}</Code>
    </div>
  );
}
