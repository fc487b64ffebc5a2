// One value of a document, edited as its schema says. `onChange(undefined)` removes it.
import { Checkbox, PasswordInput, Select, Textarea, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { Path, Problem, Schema } from "../schema";
import { ListField } from "./ListField";
import { ObjectField } from "./ObjectField";
import { kindOf, labelOf, shapeOf } from "./shape";

export interface FieldProps {
  name: string;
  schema: Schema;
  root: Schema;
  value: unknown;
  path: Path;
  problems: Problem[];
  onChange: (value: unknown) => void;
  isRequired?: boolean;
}

export interface Shared {
  label: string;
  description?: string;
  error?: string;
  required: boolean;
}

const TOO_LONG = `It is kept as text: numbers beyond ${Number.MAX_SAFE_INTEGER} would be rounded.`;

export function Field(props: FieldProps) {
  const { name, schema, root, value, path, problems, onChange } = props;
  const shape = shapeOf(schema, root, value);
  const kind = kindOf(shape, value);
  const isInexact = kind === "number" && typeof value === "string" && isTooLong(value);
  const error = isInexact ? TOO_LONG : problems.find((each) => each.path.join("\0") === path.join("\0"))?.message;
  const about = shape.description ?? schema.description;
  const shared: Shared = { label: labelOf(name, shape), required: props.isRequired ?? false, ...(about && { description: about }), ...(error && { error }) };
  if (kind === "object") return <ObjectField {...props} shape={shape} shared={shared} />;
  if (kind === "list") return <ListField {...props} shape={shape} shared={shared} />;
  if (kind === "json") return <JsonField value={value} onChange={onChange} shared={shared} />;
  if (kind === "choice") return <Choice shape={shape} value={value} onChange={onChange} shared={shared} />;
  if (kind === "boolean") return <Checkbox label={shared.label} description={about} error={error} checked={value === true} onChange={(event) => onChange(event.currentTarget.checked)} />;
  if (kind === "number") return <TextInput {...shared} inputMode="decimal" value={toText(value)} onChange={(event) => onChange(toNumber(event.currentTarget.value))} />;
  if (name.startsWith("#")) return <Secret value={value} onChange={onChange} shared={shared} />;
  if (shape.format === "textarea" || toText(value).includes("\n")) return <Textarea {...shared} autosize minRows={2} maxRows={10} value={toText(value)} onChange={(event) => onChange(event.currentTarget.value)} />;
  return <TextInput {...shared} placeholder={toText(shape.default)} value={toText(value)} onChange={(event) => onChange(event.currentTarget.value)} />;
}

function Choice({ shape, value, onChange, shared }: { shape: Schema; value: unknown; onChange: (value: unknown) => void; shared: Shared }) {
  const choices = [...new Set([...(shape.enum ?? []), ...(value === undefined ? [] : [value])].map(toText))];
  const chosen = (text: string | null): unknown => (text === null ? undefined : (shape.enum?.find((each) => toText(each) === text) ?? text));
  return <Select {...shared} data={choices} value={value === undefined ? null : toText(value)} onChange={(text) => onChange(chosen(text))} clearable={!shared.required} />;
}

/** A stored secret is a cipher: it is not shown, and replaced by what is typed. It comes back if that is deleted again. */
function Secret({ value, onChange, shared }: { value: unknown; onChange: (value: unknown) => void; shared: Shared }) {
  const kept = useRef({ cipher: "", typed: "" });
  const isStored = typeof value === "string" && value.startsWith("KBC::");
  if (isStored) kept.current.cipher = value;
  else if (toText(value) !== kept.current.typed) kept.current.cipher = ""; // another document
  function change(typed: string): void {
    kept.current.typed = typed;
    onChange(typed || kept.current.cipher);
  }
  return (
    <PasswordInput
      {...shared} autoComplete="new-password" placeholder={isStored ? "Encrypted. Type to replace it." : "Is encrypted when it is saved"}
      value={isStored ? "" : toText(value)} onChange={(event) => change(event.currentTarget.value)}
      visibilityToggleButtonProps={{ "aria-label": `Show ${shared.label}`, tabIndex: 0 }}
    />
  );
}

function JsonField({ value, onChange, shared }: { value: unknown; onChange: (value: unknown) => void; shared: Shared }) {
  const written = value === undefined ? "" : JSON.stringify(value, null, 1);
  const [text, setText] = useState(written);
  const [wrong, setWrong] = useState("");
  useEffect(() => {
    if (!isSame(text, written)) setText(written);
  }, [written]); // eslint-disable-line
  function change(next: string): void {
    setText(next);
    try {
      onChange(next.trim() ? (JSON.parse(next) as unknown) : undefined);
      setWrong("");
    } catch (error) {
      setWrong(`This is not valid JSON: ${(error as Error).message}`);
    }
  }
  return <Textarea {...shared} error={wrong || shared.error} classNames={{ input: "mono" }} autosize minRows={1} maxRows={12} value={text} onChange={(event) => change(event.currentTarget.value)} />;
}

function isSame(text: string, written: string): boolean {
  try {
    return JSON.stringify(JSON.parse(text)) === JSON.stringify(JSON.parse(written));
  } catch {
    return text.trim() === written;
  }
}

/** A text that is not a number, or not exactly one, stays as it is, and is named as a problem. */
const toNumber = (text: string): unknown => (text.trim() === "" ? undefined : Number.isFinite(Number(text)) && !/\.$|\.\d*0$/.test(text) && !isTooLong(text) ? Number(text) : text);
const isTooLong = (text: string): boolean => /^\s*[-+]?\d+\s*$/.test(text) && !Number.isSafeInteger(Number(text));
export const toText = (value: unknown): string => (value === undefined || value === null ? "" : typeof value === "object" ? JSON.stringify(value) : String(value as string));
