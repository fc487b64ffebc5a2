// What was found, as one line of chips. Behind each: why, whether it is proven, and what can be done with it.
import { Badge, Group, Popover, Stack, Text, UnstyledButton } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Act } from "../../shared/Act";
import { Said } from "../../shared/Said";
import type { Document, Finding, Trial } from "./actions";

interface Props {
  findings: Finding[];
  trial: Trial | undefined;
  /** What the settings of a finding do to the configuration; none if there is no job. */
  use?: { isUsed: (settings: Document) => boolean; apply: (settings: Document) => void } | undefined;
}

const USES: Record<string, string> = { "primary key": "Use as key", "incremental loading": "Load only what is new" };

export function Findings({ findings, trial, use }: Props) {
  if (!findings.length && !trial) return null;
  return (
    <div className="chips" role="group" aria-label="What was found">
      {findings.map((each, at) => <Chip key={at} {...each}>{each.job && use && <Use finding={each} settings={each.job} {...use} />}</Chip>)}
      {trial && <div role="status" aria-label="Pagination" className="chip-place"><Chip {...pagesOf(trial)} /></div>}
    </div>
  );
}

function Use({ finding, settings, isUsed, apply }: { finding: Finding; settings: Document } & NonNullable<Props["use"]>) {
  if (isUsed(settings)) return <Text size="sm" c="dimmed" role="status">The configuration does this.</Text>;
  return <Act size="compact-sm" w="fit-content" onClick={() => apply(settings)}>{USES[finding.subject] ?? "Use it"}</Act>;
}

const TITLES = { yes: "page 2 differs", no: "page 2 is not the next page", none: "no page 2" };

/** Whether the second page differs from the first, with what was seen. */
function pagesOf({ pagination: { isNext, evidence } }: Trial): ChipProps {
  if (isNext === false) return { subject: TITLES.no, choice: "", evidence: `${evidence} Change the settings of the pagination, and try again.`, isProven: false, color: "red" };
  return { subject: isNext ? TITLES.yes : TITLES.none, choice: "", evidence, isProven: isNext === true };
}

interface ChipProps extends Finding {
  color?: string;
  children?: ReactNode;
}

function Chip({ subject, choice, evidence, isProven, color = isProven ? "teal" : "yellow", children }: ChipProps) {
  const [isOpen, setOpen] = useState(false);
  return (
    <Popover opened={isOpen} onChange={setOpen} width={380} position="bottom-start" shadow="md" trapFocus returnFocus withinPortal>
      <Popover.Target>
        <UnstyledButton className="chip" data-color={color} onClick={() => setOpen(!isOpen)}>
          <span className="chip-mark" aria-hidden="true" />
          <span>{subject.replace(" loading", "")}</span>{shortOf(choice) && <span className="chip-choice cut">{shortOf(choice)}</span>}
        </UnstyledButton>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Text size="sm" fw={600} className="wrap">{choice ? <Said text={choice} /> : subject}</Text>
            <Badge className="status" tt="none" variant="light" color={color}>{isProven ? "proven" : "not proven"}</Badge>
          </Group>
          <Text size="sm" className="wrap"><b>Because:</b> <Said text={evidence} /></Text>
          {children}
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}

const SHORT = 12;

/** What fits into a chip; the whole is behind it. */
function shortOf(choice: string): string {
  const short = choice.replace(/^(the array at|probably|possible by|read all) |`| \(.*/g, "");
  return short.length > SHORT ? "" : short;
}
