// The part of Markdown that documentation of components uses, as elements: no text of anyone becomes HTML.
import { Fragment, type ReactNode } from "react";

export function Markdown({ text }: { text: string }) {
  return <div className="prose">{toBlocks(text.split("\n"))}</div>;
}

function toBlocks(lines: string[]): ReactNode[] {
  const blocks: ReactNode[] = [];
  for (let at = 0; at < lines.length; ) {
    const [block, used] = readBlock(lines, at);
    blocks.push(<Fragment key={at}>{block}</Fragment>);
    at += used;
  }
  return blocks;
}

function readBlock(lines: string[], at: number): [ReactNode, number] {
  const line = lines[at] ?? "";
  const heading = /^(#{1,5})\s+(.*)$/.exec(line);
  if (!line.trim()) return [null, 1];
  if (line.startsWith("```")) return readCode(lines, at);
  if (heading) return [toHeading(heading[1]!.length, heading[2]!), 1];
  if (line.startsWith("|")) return readTable(take(lines, at, (each) => each.startsWith("|")));
  if (/^\s*([-*]|\d+\.)\s/.test(line)) return readList(take(lines, at, (each) => /^\s*([-*]|\d+\.)\s|^\s+\S/.test(each)));
  const text = take(lines, at, (each) => Boolean(each.trim()) && !/^(#|```|\||\s*[-*]\s)/.test(each));
  return [<p>{inline(text.join(" "))}</p>, Math.max(1, text.length)];
}

function toHeading(level: number, text: string): ReactNode {
  return level === 1 ? <h2>{inline(text)}</h2> : level === 2 ? <h3>{inline(text)}</h3> : <h4>{inline(text)}</h4>;
}

function readCode(lines: string[], at: number): [ReactNode, number] {
  const code = take(lines, at + 1, (each) => !each.startsWith("```"));
  return [<pre tabIndex={0}><code>{code.join("\n")}</code></pre>, code.length + 2];
}

function readTable(lines: string[]): [ReactNode, number] {
  const cells = (line: string): string[] => line.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((each) => each.trim().replaceAll("\\|", "|"));
  const [head = "", , ...body] = lines;
  const table = (
    <table tabIndex={0}>
      <thead><tr>{cells(head).map((each, at) => <th key={at}>{inline(each)}</th>)}</tr></thead>
      <tbody>{body.map((line, row) => <tr key={row}>{cells(line).map((each, at) => <td key={at}>{inline(each)}</td>)}</tr>)}</tbody>
    </table>
  );
  return [table, lines.length];
}

function readList(lines: string[]): [ReactNode, number] {
  const items = lines.map((line) => line.replace(/^\s*([-*]|\d+\.)\s/, ""));
  return [<ul>{items.map((item, at) => <li key={at}>{inline(item)}</li>)}</ul>, lines.length];
}

function inline(text: string): ReactNode[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/).map((part, at) => {
    if (part.startsWith("`")) return <code key={at}>{part.slice(1, -1)}</code>;
    if (part.startsWith("**")) return <b key={at}>{part.slice(2, -2)}</b>;
    return <Fragment key={at}>{part.replace(/\[([^\]]+)\]\([^)]*\)/g, "$1")}</Fragment>;
  });
}

function take(lines: string[], from: number, isPart: (line: string) => boolean): string[] {
  const end = lines.findIndex((line, at) => at >= from && !isPart(line));
  return lines.slice(from, end < 0 ? undefined : end);
}
