// What is pasted, or a file: an address, a curl command, an OpenAPI document or a HAR file, told apart by its content.
import { Badge, Button, Checkbox, Collapse, FileButton, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Act } from "../../shared/Act";
import { type Kind, type Source as Given, TRIES } from "./actions";

const NAMES: Record<Kind, string> = { url: "Address", curl: "curl command", openapi: "OpenAPI document", har: "HAR file" };
const MOST = 8 << 20;

export function Source({ isPending, onPropose }: { isPending: boolean; onPropose: (source: Given) => void }) {
  const [text, setText] = useState("");
  const [file, setFile] = useState<{ name: string; text: string } | null>(null);
  const [tooLarge, setTooLarge] = useState("");
  const [server, setServer] = useState("");
  const [headers, setHeaders] = useState("");
  const [isPostAllowed, setPost] = useState(false);
  const [isMore, setMore] = useState(false);
  const given = (file?.text ?? text).trim();
  const kind = kindOf(given);
  async function read(chosen: File | null): Promise<void> {
    setTooLarge(chosen && chosen.size > MOST ? `${chosen.name} is larger than ${MOST >> 20} MB. Record fewer requests.` : "");
    setFile(chosen && chosen.size <= MOST ? { name: chosen.name, text: await chosen.text() } : null);
  }
  function start(event: FormEvent): void {
    event.preventDefault();
    onPropose({ kind, text: given, server: server.trim(), headers: headers.split("\n").map((each) => each.trim()).filter(Boolean), endpoint: "", isPostAllowed });
  }
  return (
    <form onSubmit={start}>
      <Stack>
        {file ? (
          <Group><Text size="sm" className="wrap">{file.name}</Text><Button size="compact-xs" variant="default" onClick={() => setFile(null)}>Remove</Button></Group>
        ) : (
          <Textarea
            label="Address, curl command, OpenAPI document or HAR" placeholder="https://api.example.com/customers"
            description="Paste any of them. A curl command or a HAR brings its credentials along: they are encrypted before they are stored."
            value={text} onChange={(event) => setText(event.currentTarget.value)} autosize minRows={2} maxRows={8} required classNames={{ input: "mono" }}
          />
        )}
        {tooLarge && <Text size="sm" c="var(--text-bad)" role="alert">{tooLarge}</Text>}
        {kind === "openapi" && <TextInput label="Server" description="Only if the document names none, or another one is meant." placeholder="https://api.example.com" value={server} onChange={(event) => setServer(event.currentTarget.value)} />}
        <Collapse expanded={isMore}>
          <Stack gap="sm">
            <Textarea
              label="Headers" description="One per line, as curl takes them. Credentials become encrypted settings." placeholder="Authorization: Bearer TOKEN"
              value={headers} onChange={(event) => setHeaders(event.currentTarget.value)} autosize minRows={2} autoComplete="off" classNames={{ input: "mono" }}
            />
            <Checkbox label="A POST that only reads may be sent" checked={isPostAllowed} onChange={(event) => setPost(event.currentTarget.checked)} />
          </Stack>
        </Collapse>
        <Group>
          <Act needs={TRIES} type="submit" loading={isPending} disabled={!given}>Propose a configuration</Act>
          <FileButton onChange={(chosen) => void read(chosen)} accept=".json,.har,.yaml,.yml,.txt">{(props) => <Button variant="default" {...props}>Choose a file</Button>}</FileButton>
          <Button variant="subtle" aria-expanded={isMore} onClick={() => setMore(!isMore)}>Headers and POST</Button>
          {given && <Badge variant="default" tt="none">{NAMES[kind]}</Badge>}
        </Group>
      </Stack>
    </form>
  );
}

export function kindOf(text: string): Kind {
  if (/^curl\s/.test(text)) return "curl";
  if (/^\{/.test(text)) return /"entries"\s*:/.test(text) && /"log"\s*:/.test(text.slice(0, 2000)) ? "har" : "openapi";
  return /^\s*["']?(openapi|swagger)["']?\s*:/m.test(text) ? "openapi" : "url";
}
