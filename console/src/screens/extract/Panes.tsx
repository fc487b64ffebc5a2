// Panes side by side. The handle between two of them is dragged, or moved with the arrow keys.
import { type CSSProperties, Fragment, type KeyboardEvent, type PointerEvent, type ReactNode, useRef, useState } from "react";

const SHARES = [0.95, 1.1, 0.95, 1];
const LEAST = 0.75;
const STEPS: Record<string, number> = { ArrowLeft: -0.1, ArrowRight: 0.1 };
const HANDLE = 16;

/** Those that show what was read are grey while they are older than the settings. */
export function Panes({ isOld, children }: { isOld: boolean; children: Record<string, ReactNode> }) {
  const panes = Object.entries(children);
  const whole = useRef<HTMLDivElement>(null);
  const [shares, setShares] = useState(SHARES);
  const grip = useRef(0);
  const grab = ({ currentTarget: handle, clientX, pointerId }: PointerEvent): void => {
    grip.current = clientX - handle.getBoundingClientRect().left;
    handle.setPointerCapture(pointerId);
  };
  const drag = (at: number, { currentTarget: handle, clientX, pointerId }: PointerEvent): void => {
    if (!whole.current || !handle.hasPointerCapture(pointerId)) return;
    const { left, width } = whole.current.getBoundingClientRect();
    const pixels = clientX - grip.current - left - at * HANDLE;
    const edge = (panes.length * pixels) / (width - (panes.length - 1) * HANDLE);
    setShares((before) => moved(before, at, edge - edgeOf(before, at)));
  };
  const press = (at: number, event: KeyboardEvent): void => {
    const by = STEPS[event.key];
    if (by === undefined || event.altKey || event.metaKey) return;
    event.preventDefault();
    setShares((before) => moved(before, at, by));
  };
  const columns = shares.map((share) => `minmax(0, ${share}fr)`).join(` ${HANDLE}px `);
  return (
    <div className="panes" data-old={isOld || undefined} ref={whole} style={{ "--columns": columns } as CSSProperties}>
      {panes.map(([name, pane], at) => (
        <Fragment key={name}>
          {at > 0 && (
            <div className="panes-handle" role="separator" tabIndex={0} aria-orientation="vertical" aria-label={`Between ${panes[at - 1]?.[0]} and ${name}`} aria-valuenow={percent(shares, at - 1)}
              onPointerDown={grab} onPointerMove={(event) => drag(at - 1, event)} onKeyDown={(event) => press(at - 1, event)} />
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

/** How far from the left the edge after a pane is: in shares, and in percent of all of them. */
const edgeOf = (shares: number[], at: number): number => shares.slice(0, at + 1).reduce((sum, each) => sum + each, 0);
const percent = (shares: number[], at: number): number => Math.round((100 * edgeOf(shares, at)) / shares.length);
