import { TagsInput } from "@mantine/core";
import { Section } from "../../shared/parts";

/** The packages that Python installs before the code runs. */
export function Packages({ names, onChange }: { names: string[]; onChange: (names: string[]) => void }) {
  return (
    <Section title="Packages">
      <TagsInput aria-label="Packages" placeholder={names.length ? "" : "As for pip: pandas, or pandas==2.3.3"} value={names} onChange={onChange} />
    </Section>
  );
}
