// The items of an array, each with its schema.
import { Button, Fieldset, Group, Stack, Text } from "@mantine/core";
import type { Schema } from "../schema";
import { Field, type FieldProps, type Shared } from "./Field";
import { initialOf, labelOf } from "./shape";

export function ListField({ shape, shared, root, value, path, problems, onChange, name }: FieldProps & { shape: Schema; shared: Shared }) {
  const items = Array.isArray(value) ? (value as unknown[]) : [];
  const one = labelOf(name.replace(/s$/, ""), {});
  return (
    <Fieldset legend={shared.label} p="sm">
      {shared.description && <Text size="xs" c="dimmed" mb="xs">{shared.description}</Text>}
      {shared.error && <Text size="xs" c="var(--text-bad)" mb="xs">{shared.error}</Text>}
      <Stack gap="sm">
        {items.map((item, at) => (
          <div key={at}>
            <Field name={`${one} ${at + 1}`} schema={shape.items ?? {}} root={root} value={item} path={[...path, at]} problems={problems} onChange={(next) => onChange(items.map((each, index) => (index === at ? (next ?? null) : each)))} />
            <Group justify="flex-end" mt={4}><Button size="compact-xs" variant="subtle" color="gray" c="dimmed" aria-label={`Remove ${one} ${at + 1}`} onClick={() => onChange(items.filter((_, index) => index !== at))}>Remove</Button></Group>
          </div>
        ))}
        <Group><Button size="compact-sm" variant="default" onClick={() => onChange([...items, initialOf(shape.items ?? {}, root)])}>Add {one.toLowerCase()}</Button></Group>
      </Stack>
    </Fieldset>
  );
}
