// A JSON schema as a list of fields; what is nested opens when it is asked for.
import { Text } from "@mantine/core";
import { useState } from "react";
import { type Document, lastPart, type Schema, schemaOf } from "./documents";
import { Words } from "./parts";

export function SchemaView({ schema, document }: { schema: Schema; document: Document }) {
  const inner = fieldsOf(schema, document);
  if (!inner) return <Text size="sm">{typeOf(schema, document)}</Text>;
  return (
    <>
      {schemaOf(document, schema).description && <Text size="sm" mb={6}><Words of={schemaOf(document, schema).description ?? ""} /></Text>}
      {isList(schema, document) && <Text size="sm" mb={4}>A list of objects:</Text>}
      <Fields of={inner} document={document} />
    </>
  );
}

function Fields({ of, document }: { of: Schema; document: Document }) {
  return (
    <ul className="portal-fields">
      {Object.entries(of.properties ?? {}).map(([name, each]) => <Field key={name} name={name} schema={each} isRequired={of.required?.includes(name) ?? false} document={document} />)}
    </ul>
  );
}

function Field({ name, schema, isRequired, document }: { name: string; schema: Schema; isRequired: boolean; document: Document }) {
  const [isOpen, setOpen] = useState(false);
  const inner = fieldsOf(schema, document);
  const head = <><span className="mono">{name}</span> <Text span size="xs" c="dimmed">{typeOf(schema, document)}{isRequired ? ", required" : ""}</Text></>;
  return (
    <li>
      {inner ? <details onToggle={(event) => setOpen(event.currentTarget.open)}><summary>{head}</summary>{isOpen && <Fields of={inner} document={document} />}</details> : head}
      {schema.description && <Text size="xs" c="dimmed"><Words of={schema.description} /></Text>}
    </li>
  );
}

/** The object whose fields are shown; none for a plain value. */
function fieldsOf(schema: Schema, document: Document): Schema | undefined {
  const found = schemaOf(document, schema);
  if (found.properties) return found;
  if (found.items) return fieldsOf(found.items, document);
  const choices = [...(found.anyOf ?? []), ...(found.oneOf ?? [])].map((each) => fieldsOf(each, document)).filter((each) => each !== undefined);
  return choices[0];
}

const isList = (schema: Schema, document: Document): boolean => schemaOf(document, schema).type === "array";

export function typeOf(schema: Schema, document: Document): string {
  if (schema.$ref) return lastPart(schema.$ref);
  if (schema.enum) return schema.enum.map((each) => JSON.stringify(each)).join(" or ");
  if (schema.anyOf ?? schema.oneOf) return (schema.anyOf ?? schema.oneOf ?? []).map((each) => typeOf(each, document)).join(" or ");
  if (schema.items) return `list of ${typeOf(schema.items, document)}`;
  const name = Array.isArray(schema.type) ? schema.type.join(" or ") : (schema.type ?? "anything");
  return [name, ...limitsOf(schema)].join(", ");
}

function limitsOf(schema: Schema): string[] {
  const range = [schema.minimum !== undefined && `from ${schema.minimum}`, schema.maximum !== undefined && schema.maximum < 1e15 && `up to ${schema.maximum}`, schema.maxLength !== undefined && `up to ${schema.maxLength} characters`];
  const isPlain = schema.default !== undefined && schema.default !== null && schema.default !== "" && typeof schema.default !== "object";
  return [...range.filter((each) => typeof each === "string"), ...(isPlain ? [`otherwise ${JSON.stringify(schema.default)}`] : [])];
}
