// The settings of an object: those that are required or set, and a list of the others to add. Keys that the schema does
// not name are kept.
import { ActionIcon, Fieldset, Group, Select, Stack, Text } from "@mantine/core";
import { isMap, type Schema } from "../schema";
import { Field, type FieldProps, type Shared } from "./Field";
import { initialOf, labelOf } from "./shape";

export function ObjectField({ shape, shared, ...props }: FieldProps & { shape: Schema; shared: Shared }) {
  return (
    <Fieldset legend={shared.label} variant="default" p="sm">
      {shared.description && <Text size="xs" c="dimmed" mb="xs">{shared.description}</Text>}
      {shared.error && <Text size="xs" c="var(--text-bad)" mb="xs">{shared.error}</Text>}
      <Members {...props} shape={shape} />
    </Fieldset>
  );
}

export function Members({ shape, root, value, path, problems, onChange }: Omit<FieldProps, "name" | "schema"> & { shape: Schema }) {
  const own = isMap(value) ? value : {};
  const known = Object.entries(shape.properties ?? {});
  const isRequired = (key: string): boolean => Boolean(shape.required?.includes(key));
  const shown = known.filter(([key]) => isRequired(key) || key in own);
  const others = known.filter(([key]) => !isRequired(key) && !(key in own));
  const unknown = Object.keys(own).filter((key) => !shape.properties?.[key]);
  const change = (key: string, next: unknown): void => onChange(next === undefined ? Object.fromEntries(Object.entries(own).filter(([each]) => each !== key)) : { ...own, [key]: next });
  return (
    <Stack gap="sm">
      {shown.map(([key, schema]) => (
        <Group key={key} gap="xs" wrap="nowrap" align="flex-start">
          <div style={{ flex: 1, minWidth: 0 }}>
            <Field name={key} schema={schema} root={root} value={own[key]} path={[...path, key]} problems={problems} onChange={(next) => change(key, next)} isRequired={isRequired(key)} />
          </div>
          {!isRequired(key) && <ActionIcon variant="subtle" color="gray" c="dimmed" size="sm" aria-label={`Remove ${[...path, key].join(".")}`} onClick={() => change(key, undefined)}>×</ActionIcon>}
        </Group>
      ))}
      {unknown.length > 0 && <Text size="xs" c="dimmed" className="wrap">Only in the JSON, and kept: {unknown.join(", ")}</Text>}
      {others.length > 0 && (
        <Select
          key={others.length} aria-label={`Add a setting to ${path.join(".") || "the configuration"}`} placeholder="Add a setting" size="xs" maw={280} searchable value={null}
          data={others.map(([key, schema]) => ({ value: key, label: labelOf(key, schema) }))}
          onChange={(key) => key && change(key, initialOf(shape.properties?.[key] ?? {}, root))}
        />
      )}
    </Stack>
  );
}
