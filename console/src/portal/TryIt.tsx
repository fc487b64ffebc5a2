// Sends a request with the sign-in of the console or with a token that is entered. Tokens are in the memory of this page, and nowhere else.
import { Alert, Button, Group, NativeSelect, PasswordInput, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { type Document, type Entry, type Found, type Parameter, schemeOf } from "./documents";
import { exampleOf, FORMS, toUrl } from "./example";
import { Code, pretty, Section } from "./parts";
import { accessToken, usePerson } from "./session";
import { useToken } from "./token";

interface Reply { status: number; milliseconds: number; text: string }

const PERSONAL = "kbc_";
const PROJECT = "X-KBC-ProjectId";
const STORAGE_TOKEN = "X-StorageApi-Token";
const MANAGE_TOKEN = "X-KBC-ManageApiToken";

export function TryIt({ entry, storage, document, found }: { entry: Entry; storage: Entry | undefined; document: Document; found: Found }) {
  const scheme = schemeOf(document, found.operation);
  const header = scheme?.type === "http" ? "Authorization" : scheme?.in === "header" ? (scheme.name ?? "") : "";
  const [token, setToken] = useToken(`${scheme?.type} ${header}`);
  const [project, setProject] = useToken(PROJECT);
  const isOfPerson = header === STORAGE_TOKEN && token.startsWith(PERSONAL);
  const person = usePerson(storage);
  const takesPerson = header === STORAGE_TOKEN || header === MANAGE_TOKEN || scheme?.type === "http";
  const isSignedIn = storage !== undefined && person !== undefined && takesPerson && !token;
  const [shownProject, setShownProject] = useState("");
  const signedInProject = shownProject || String(person?.projects[0]?.id ?? "");
  const example = exampleOf(document, found);
  const [values, setValues] = useState<Record<string, string>>({});
  const [body, setBody] = useState(example?.body === undefined ? "" : pretty(example.body));
  const [reply, setReply] = useState<Reply | string>();
  const [isSending, setSending] = useState(false);
  const kind = Object.keys(found.operation.requestBody?.content ?? {})[0];

  const send = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setSending(true);
    const of = (place: string): Record<string, string> =>
      Object.fromEntries(found.operation.parameters.filter((each) => each.in === place && values[keyOf(each)]).map((each) => [each.name, values[keyOf(each)] ?? ""]));
    const isBearer = scheme?.type === "http" || (header === "Authorization" && token.startsWith(PERSONAL));
    const headers: Record<string, string> = {
      ...(isSignedIn && (await proofOf(storage, header === STORAGE_TOKEN ? signedInProject : ""))),
      ...(header && token && { [header]: isBearer ? `Bearer ${token}` : token }),
      ...(isOfPerson && project && { [PROJECT]: project }),
      ...(kind && { "Content-Type": kind }),
    };
    setReply(await ask(toUrl(entry, found, of("path"), of("query")), { method: found.method, headers, ...(kind && { body }) }));
    setSending(false);
  };

  if (FORMS.includes(kind) || scheme?.in === "cookie") {
    const why = FORMS.includes(kind) ? "It takes a form or a file: send the command of the example." : "It takes the session of a browser, which this page does not have.";
    return <Section title="Try it"><Text size="sm">{why}</Text></Section>;
  }
  return (
    <Section title="Try it">
      <form onSubmit={(event) => void send(event)} autoComplete="off">
        <Stack gap="xs">
          {header && <PasswordInput label={header} description={isSignedIn ? `Empty: you are signed in as ${person.user.name || person.user.email}` : "Kept in the memory of this page only"} value={token} onChange={(event) => setToken(event.currentTarget.value)} autoComplete="off" />}
          {isSignedIn && header === STORAGE_TOKEN && <NativeSelect label="Project" value={signedInProject} onChange={(event) => setShownProject(event.currentTarget.value)} data={person.projects.map((each) => ({ value: String(each.id), label: each.name }))} />}
          {isOfPerson && <TextInput label={PROJECT} description="The number of the project, which the token of a person needs" value={project} onChange={(event) => setProject(event.currentTarget.value)} inputMode="numeric" />}
          {found.operation.parameters.map((each) => (
            <Field key={keyOf(each)} of={each} value={values[keyOf(each)] ?? ""} onChange={(value) => setValues((before) => ({ ...before, [keyOf(each)]: value }))} />
          ))}
          {kind && <Textarea label="Body" value={body} onChange={(event) => setBody(event.currentTarget.value)} autosize minRows={3} maxRows={16} classNames={{ input: "mono" }} />}
          {found.method !== "GET" && <Text size="xs" c="dimmed">This is a real request to this stack: it does what the operation does.</Text>}
          <Group><Button type="submit" loading={isSending}>Send</Button></Group>
        </Stack>
      </form>
      <div role="status" aria-label="Response">{reply !== undefined && <Shown reply={reply} />}</div>
    </Section>
  );
}

async function proofOf(storage: Entry, project: string): Promise<Record<string, string>> {
  const token = await accessToken(storage);
  return token ? { Authorization: `Bearer ${token}`, ...(project && { [PROJECT]: project }) } : {};
}

/** A path and a query may have a parameter of one name. */
const keyOf = ({ in: place, name }: Parameter): string => `${place} ${name}`;

function Field({ of, value, onChange }: { of: Parameter; value: string; onChange: (value: string) => void }) {
  const placeholder = of.example === undefined ? "" : String(of.example);
  return <TextInput label={`${of.name} (${of.in})`} value={value} required={of.required ?? false} placeholder={placeholder} onChange={(event) => onChange(event.currentTarget.value)} />;
}

function Shown({ reply }: { reply: Reply | string }) {
  if (typeof reply === "string") return <Alert color="red" mt="sm" title="The request could not be sent">{reply}</Alert>;
  return (
    <>
      <Text size="sm" mt="sm" mb={4}>Response <b>{reply.status}</b> in {reply.milliseconds} ms</Text>
      {reply.text ? <Code text={reply.text} label="Body of the response" /> : <Text size="sm" c="dimmed">No body</Text>}
    </>
  );
}

async function ask(url: string, request: RequestInit): Promise<Reply | string> {
  const start = performance.now();
  try {
    const response = await fetch(url, { ...request, credentials: "omit", cache: "no-store" });
    return { status: response.status, milliseconds: Math.round(performance.now() - start), text: format(await response.text()) };
  } catch (error) {
    return `${String(error)}. The service does not respond, or the browser may not call it from here.`;
  }
}

function format(text: string): string {
  try {
    return pretty(JSON.parse(text) as unknown);
  } catch {
    return text;
  }
}
