import { Select } from "@mantine/core";
import { useConfigured } from "../../shared/api/hooks";

export interface Target {
  component: string;
  config: string;
}

const write = ({ component, config }: Target): string => `${component}/${config}`;
const read = (text: string): Target => ({ component: text.slice(0, text.indexOf("/")), config: text.slice(text.indexOf("/") + 1) });

/** A configuration that can run. */
export function TargetSelect({ value, onChange, label = "Configuration", isOptional = false }: { value: Target | null; onChange: (target: Target | null) => void; label?: string; isOptional?: boolean }) {
  const configured = useConfigured();
  const data = (configured.data ?? []).filter((each) => each.hasRun).map((component) => ({
    group: component.name,
    items: (component.configurations ?? []).map((config) => ({ value: write({ component: component.id, config: config.id }), label: config.name })),
  }));
  return <Select label={label} placeholder={isOptional ? "any" : "What runs"} data={data} value={value ? write(value) : null} onChange={(text) => onChange(text ? read(text) : null)} searchable limit={100} clearable={isOptional} required={!isOptional} />;
}
