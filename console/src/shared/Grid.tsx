// Rows of a table. Only those in view are in the document, so any number scrolls smoothly.
import { useVirtualizer } from "@tanstack/react-virtual";
import { useMemo, useRef } from "react";

type Value = string | null;
const ROW = 30;
const SAMPLE = 100;

export function Grid({ columns, rows, height = 460, label }: { columns: string[]; rows: Value[][]; height?: number; label: string }) {
  const scroller = useRef<HTMLDivElement>(null);
  const widths = useMemo(() => columns.map((name, at) => widthOf(name, rows, at)), [columns, rows]);
  const virtual = useVirtualizer({ count: rows.length, getScrollElement: () => scroller.current, estimateSize: () => ROW, overscan: 12 });
  return (
    <div ref={scroller} className="grid" style={{ maxHeight: height }} role="table" aria-label={label} aria-rowcount={rows.length + 1} tabIndex={0}>
      <div className="grid-head" role="rowgroup">
        <div role="row" aria-rowindex={1} style={{ display: "flex" }}>
          {columns.map((name, at) => (
            <div key={at} className="grid-cell" role="columnheader" style={{ width: widths[at] }} title={name}>{name}</div>
          ))}
        </div>
      </div>
      <div className="grid-body" role="rowgroup" style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => (
          <div key={item.key} className="grid-row" role="row" aria-rowindex={item.index + 2} style={{ transform: `translateY(${item.start}px)` }}>
            {columns.map((_, at) => (
              <Cell key={at} value={rows[item.index]?.[at] ?? null} width={widths[at] ?? 100} />
            ))}
          </div>
        ))}
      </div>
    </div>
  );
}

function Cell({ value, width }: { value: Value; width: number }) {
  return (
    <div className={value === null ? "grid-cell grid-null" : "grid-cell"} role="cell" style={{ width }} title={value ?? "null"}>
      {value === null ? "null" : value}
    </div>
  );
}

function widthOf(name: string, rows: Value[][], at: number): number {
  const longest = rows.slice(0, SAMPLE).reduce((most, row) => Math.max(most, row[at]?.length ?? 4), name.length);
  return Math.min(Math.max(longest * 8 + 24, 70), 340);
}
