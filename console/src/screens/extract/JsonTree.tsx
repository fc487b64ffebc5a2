// JSON as a tree: each array, object and value is a button. Long arrays show their first items.
import { type ReactNode, useState } from "react";
import { isMap } from "../../shared/schema";
import { type Keys } from "./document";
import { within } from "./ResponsePane";

export interface Pick {
  path: Keys;
  kind: "array" | "object" | "value";
}

interface Props {
  value: unknown;
  lengths: { path: Keys; length: number }[];
  records: Keys | undefined;
  isMapped: (path: Keys) => boolean;
  onPick: (pick: Pick) => void;
}

const OPEN_ITEMS = 2;

export function JsonTree(props: Props) {
  return <div className="tree" role="tree" aria-label="Response"><Node {...props} path={[]} name="" /></div>;
}

function Node(props: Props & { path: Keys; name: string }) {
  const { value, path, name, records, isMapped, onPick, lengths } = props;
  const isArray = Array.isArray(value);
  const isOpenAtFirst = path.length < 6 && !(typeof path.at(-1) === "number" && Number(path.at(-1)) >= OPEN_ITEMS);
  const [isOpen, setOpen] = useState(isOpenAtFirst);
  const inside = records && within(path, records);
  const kind = isArray ? "array" : isMap(value) ? "object" : "value";
  const children: [string | number, unknown][] = isArray ? value.map((each: unknown, at) => [at, each]) : isMap(value) ? Object.entries(value) : [];
  const length = lengths.find((each) => each.path.join("\0") === path.join("\0"))?.length ?? children.length;
  const isRecords = isArray && records !== undefined && records.join("\0") === path.join("\0");
  const canPick = inside ? true : kind === "array";
  const label = isArray ? `[ ${length} ]` : kind === "object" ? `{ ${length} }` : JSON.stringify(value);
  const title = inside ? `Map ${inside.join(".")}` : isArray ? `Read records of ${path.join(".") || "the response"}` : undefined;
  const mark: ReactNode = isRecords ? <span className="tree-mark">records</span> : inside && isMapped(inside) ? <span className="tree-mark tree-column" title="A column">column</span> : null;
  return (
    <div role="treeitem" aria-expanded={children.length ? isOpen : undefined} aria-selected={Boolean(mark)}>
      <div className="tree-line">
        {children.length > 0 ? <button type="button" className="tree-fold" aria-label={`${isOpen ? "Close" : "Open"} ${path.join(".") || "the response"}`} onClick={() => setOpen(!isOpen)}>{isOpen ? "▾" : "▸"}</button> : <span className="tree-fold" />}
        {name && <span className="tree-name">{name}:</span>}
        {canPick ? <button type="button" className={`tree-value tree-${kind}`} title={title && `${title}: ${label}`} aria-label={`${title}: ${label}`} onClick={() => onPick({ path, kind })}>{label}</button> : <span className={`tree-value tree-${kind}`}>{label}</span>}
        {mark}
      </div>
      {isOpen && children.length > 0 && (
        <div role="group" className="tree-children">
          {children.map(([key, each]) => <Node key={key} {...props} value={each} path={[...path, key]} name={String(key)} />)}
          {length > children.length && <div className="tree-line tree-more">{length - children.length} more</div>}
        </div>
      )}
    </div>
  );
}
