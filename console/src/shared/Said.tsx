// A sentence of the server: what it has between backticks is code.
export function Said({ text }: { text: string }) {
  return <>{text.split(/(`[^`]+`)/).map((part, at) => (part.length > 2 && part.startsWith("`") ? <code key={at}>{part.slice(1, -1)}</code> : part))}</>;
}
