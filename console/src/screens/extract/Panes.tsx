// Panes side by side. The handle between two of them is dragged, or moved with the arrow keys.
import { type CSSProperties, Fragment, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";

const SHARES = [0.95, 1.1, 0.95, 1];
const LEAST = 0.75;
const STEP = 0.1;

export function Panes({ children }: { children: Record<string, ReactNode> }) {
  const panes = Object.entries(children);
  const whole = useRef<HTMLDivElement>(null);
  const [shares, setShares] = useState(SHARES);
  const move = (at: number, by: number): void => setShares((before) => moved(before, at, by));
  const drag = (at: number, event: PointerEvent): void => {
    if (event.currentTarget.hasPointerCapture(event.pointerId)) move(at, (event.movementX * panes.length) / (whole.current?.clientWidth ?? 1));
  };
  const press = (at: number, event: KeyboardEvent): void => {
    if (event.key === "ArrowLeft") move(at, -STEP);
    if (event.key === "ArrowRight") move(at, STEP);
  };
  const columns = shares.map((share) => `minmax(0, ${share}fr)`).join(" 16px ");
  return (
    <div className="panes" ref={whole} style={{ "--columns": columns } as CSSProperties}>
      {panes.map(([name, pane], at) => (
        <Fragment key={name}>
          {at > 0 && (
            <div className="panes-handle" role="separator" tabIndex={0} aria-orientation="vertical" aria-label={`Between ${panes[at - 1]?.[0]} and ${name}`} aria-valuenow={percent(shares, at)}
              onPointerDown={(event) => event.currentTarget.setPointerCapture(event.pointerId)} onPointerMove={(event) => drag(at - 1, event)} onKeyDown={(event) => press(at - 1, event)} />
          )}
          {pane}
        </Fragment>
      ))}
    </div>
  );
}

/** The shares when the edge after one of them is moved: what it gains, its neighbour loses. */
function moved(shares: number[], at: number, by: number): number[] {
  const [left = 1, right = 1] = shares.slice(at, at + 2);
  const change = Math.min(Math.max(by, LEAST - left), right - LEAST);
  return shares.map((share, index) => (index === at ? left + change : index === at + 1 ? right - change : share));
}

/** How far from the left the edge before a pane is. */
const percent = (shares: number[], at: number): number => Math.round((100 * shares.slice(0, at).reduce((sum, each) => sum + each, 0)) / shares.length);
