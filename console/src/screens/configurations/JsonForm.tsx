import { Editor } from "../../shared/Editor";
import { SchemaForm } from "../../shared/form/SchemaForm";
import { Empty } from "../../shared/parts";
import { Locked } from "../../shared/rights";
import type { Schema } from "../../shared/schema";
import { Editing, type Stored, type Text } from "./Editing";

/** A configuration or a row, as a form and as JSON, which are always the same document. */
export function JsonForm(stored: Stored) {
  return <Editing {...stored}>{(text) => <FormAndJson {...text} schema={stored.schema} />}</Editing>;
}

export function FormAndJson({ text, setText, error, save, schema }: Text & { schema: unknown }) {
  return (
    <Locked><div className={schema ? "beside" : undefined}>
      {Boolean(schema) && <div role="group" aria-label="Settings">{error ? <Empty title="The form comes back when the JSON is valid" /> : <SchemaForm schema={schema as Schema} text={text} onChange={setText} />}</div>}
      <Editor value={text} onChange={setText} language="json" schema={schema} label="Configuration as JSON" height="640px" onRun={save} />
    </div></Locked>
  );
}
