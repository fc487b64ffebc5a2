import { ActionIcon, Button, Group, Paper, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { Editor } from "../../shared/Editor";
import type { Names } from "../../shared/sqlNames";
import { type Block, changeCode, type Code, type Language, moveUp, replaceAt, textOf, toScript } from "./document";

interface Shared {
  language: Language;
  names: Names;
  onSave: () => void;
  /** Runs these codes, of which the title tells. */
  onTry: (title: string, codes: Code[]) => void;
}

export function Blocks({ blocks, onChange, ...shared }: Shared & { blocks: Block[]; onChange: (blocks: Block[]) => void }) {
  return (
    <Stack gap="sm" role="group" aria-label="Code">
      {blocks.map((block, at) => (
        <Paper key={at} withBorder p="sm">
          <Group gap="xs" mb="xs" wrap="nowrap">
            <TextInput aria-label={`Name of block ${at + 1}`} variant="unstyled" fw={600} value={block.name ?? ""} placeholder="Name of the block" onChange={(event) => onChange(replaceAt(blocks, at, { ...block, name: event.currentTarget.value }))} flex={1} />
            {(block.codes?.length ?? 0) > 1 && <Act size="compact-sm" variant="default" flex="none" onClick={() => shared.onTry(nameOf(block, "block", at), block.codes ?? [])}>Try the block</Act>}
            <Order what={nameOf(block, "block", at)} isFirst={at === 0} onUp={() => onChange(moveUp(blocks, at))} onRemove={() => onChange(replaceAt(blocks, at))} />
          </Group>
          <Stack gap="sm">
            {(block.codes ?? []).map((code, index) => (
              <OneCode key={index} {...shared} code={code} title={nameOf(code, "code", index)} isFirst={index === 0}
                onChange={(changed) => onChange(changeCode(blocks, at, index, changed))}
                onUp={() => onChange(replaceAt(blocks, at, { ...block, codes: moveUp(block.codes ?? [], index) }))} />
            ))}
            <Group><Button size="compact-sm" variant="default" onClick={() => onChange(replaceAt(blocks, at, { ...block, codes: [...(block.codes ?? []), newCode(block)] }))}>Add code</Button></Group>
          </Stack>
        </Paper>
      ))}
      <Group><Button size="compact-sm" variant="default" onClick={() => onChange([...blocks, { name: `Block ${blocks.length + 1}`, codes: [{ name: "Code", script: [] }] }])}>Add block</Button></Group>
    </Stack>
  );
}

const newCode = ({ codes = [] }: Block): Code => ({ name: `Code ${codes.length + 1}`, script: [] });
const nameOf = ({ name }: { name?: string }, what: string, at: number): string => name?.trim() || `${what} ${at + 1}`;

interface CodeProps extends Shared {
  code: Code;
  title: string;
  isFirst: boolean;
  /** Without a code it is removed. */
  onChange: (code?: Code) => void;
  onUp: () => void;
}

function OneCode({ code, title, language, names, isFirst, onChange, onUp, onSave, onTry }: CodeProps) {
  const stored = textOf(code, language);
  const [typed, setTyped] = useState(stored);
  // What is typed is stored by statements, without the lines between them. It is shown as it was typed.
  const text = textOf({ script: toScript(typed, language) }, language) === stored ? typed : stored;
  function change(next: string): void {
    setTyped(next);
    onChange({ ...code, script: toScript(next, language) });
  }
  return (
    <div>
      <Group gap="xs" mb={4} wrap="nowrap">
        <TextInput aria-label={`Name of ${title}`} size="xs" value={code.name ?? ""} placeholder="Name of the code" onChange={(event) => onChange({ ...code, name: event.currentTarget.value })} flex="0 1 220px" miw={80} />
        <Text size="xs" c="dimmed" flex={1}>{language === "sql" ? "SQL" : "Python"}</Text>
        <Act size="compact-sm" variant="default" flex="none" disabled={!text.trim()} aria-label={`Try ${title}`} onClick={() => onTry(title, [code])}>Try</Act>
        <Order what={title} isFirst={isFirst} onUp={onUp} onRemove={() => onChange()} />
      </Group>
      <Editor value={text} onChange={change} language={language} names={names} label={`Code of ${title}`} onRun={onSave} />
    </div>
  );
}

function Order({ what, isFirst, onUp, onRemove }: { what: string; isFirst: boolean; onUp: () => void; onRemove: () => void }) {
  return (
    <>
      <ActionIcon variant="subtle" color="gray" disabled={isFirst} aria-label={`Move ${what} up`} onClick={onUp}>↑</ActionIcon>
      <ActionIcon variant="subtle" color="gray" aria-label={`Remove ${what}`} onClick={onRemove}>×</ActionIcon>
    </>
  );
}
