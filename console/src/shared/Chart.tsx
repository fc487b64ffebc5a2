// Bars or lines. The numbers are shown under the pointer, with the arrow keys, and as a table for screen readers.
import { VisuallyHidden } from "@mantine/core";
import { type KeyboardEvent, type PointerEvent, useCallback, useState } from "react";
import { labelStep, type Scale, short, toScale, written } from "./chartScale";

export interface Series {
  name: string;
  values: (number | null)[];
  /** One of the colours of the console, such as `var(--good)`. */
  color?: string;
}

interface Props {
  kind: "bar" | "line";
  labels: string[];
  series: Series[];
  height?: number;
  /** Bars of one label are on top of each other. */
  isStacked?: boolean;
  /** What the chart shows, for those who do not see it. */
  title?: string;
}

const EDGE = { top: 10, right: 8, bottom: 26, left: 52 };
const COLORS = 6;
const colorOf = (series: Series, at: number): string => series.color ?? `var(--series-${(at % COLORS) + 1})`;

interface Frame {
  width: number;
  height: number;
  scale: Scale;
  /** The middle of a label, and how wide it is. */
  x: (at: number) => number;
  band: number;
  y: (value: number) => number;
}

export function Chart(props: Props) {
  const { kind, labels, series, height = 220, title = "Chart" } = props;
  const [ref, width] = useWidth();
  const [at, setAt] = useState<number | null>(null);
  const frame = toFrame(props, Math.max(width, 1), height);
  const isFew = series.length > 1 || series[0]?.name;
  function point(event: PointerEvent<SVGSVGElement>): void {
    const x = event.clientX - event.currentTarget.getBoundingClientRect().left;
    const found = Math.floor((x - EDGE.left) / frame.band);
    setAt(found >= 0 && found < labels.length ? found : null);
  }
  function press(event: KeyboardEvent): void {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (event.key === "Escape") setAt(null);
    if (!step || !labels.length) return;
    event.preventDefault();
    setAt(at === null ? (step > 0 ? 0 : labels.length - 1) : Math.min(Math.max(at + step, 0), labels.length - 1));
  }
  return (
    <figure className="chart" aria-label={title}>
      {isFew && <figcaption className="chart-names" aria-hidden>{series.map((each, number) => <span key={each.name}><i style={{ background: colorOf(each, number) }} />{each.name}</span>)}</figcaption>}
      <div ref={ref} className="chart-area" style={{ height }} tabIndex={0} role="group" aria-label={`${title}. Arrow keys read its numbers.`} onKeyDown={press} onBlur={() => setAt(null)}>
        {width > 0 && (
          <svg width={width} height={height} aria-hidden onPointerMove={point} onPointerLeave={() => setAt(null)}>
            <Axes labels={labels} frame={frame} />
            {at !== null && <rect className="chart-cursor" x={frame.x(at) - frame.band / 2} y={EDGE.top} width={frame.band} height={height - EDGE.top - EDGE.bottom} />}
            {kind === "bar" ? <Bars {...props} frame={frame} /> : series.map((each, number) => <Line key={number} of={each} color={colorOf(each, number)} frame={frame} at={at} />)}
          </svg>
        )}
        {at !== null && <Tip labels={labels} series={series} at={at} frame={frame} />}
      </div>
      <Numbers {...props} title={title} />
    </figure>
  );
}

function useWidth(): [(node: HTMLElement | null) => (() => void) | undefined, number] {
  const [width, setWidth] = useState(0);
  const ref = useCallback((node: HTMLElement | null) => {
    if (!node) return undefined;
    const observer = new ResizeObserver(([entry]) => setWidth(Math.floor(entry?.contentRect.width ?? 0)));
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  return [ref, width];
}

function toFrame({ labels, series, isStacked }: Props, width: number, height: number): Frame {
  const known = series.flatMap((each) => each.values).filter((each) => each !== null);
  const sums = isStacked ? labels.map((_, at) => series.reduce((sum, each) => sum + (each.values[at] ?? 0), 0)) : known;
  const scale = toScale(sums);
  const band = Math.max(width - EDGE.left - EDGE.right, 1) / Math.max(labels.length, 1);
  const y = (value: number): number => EDGE.top + ((scale.high - value) / (scale.high - scale.low)) * (height - EDGE.top - EDGE.bottom);
  return { width, height, scale, band, y, x: (at) => EDGE.left + band * (at + 0.5) };
}

function Axes({ labels, frame: { width, height, scale, x, y, band } }: { labels: string[]; frame: Frame }) {
  const step = labelStep(labels, band * labels.length);
  return (
    <g className="chart-axes">
      {scale.ticks.map((tick) => (
        <g key={tick}>
          <line x1={EDGE.left} x2={width - EDGE.right} y1={y(tick)} y2={y(tick)} className={tick === 0 ? "chart-zero" : undefined} />
          <text x={EDGE.left - 8} y={y(tick) + 4} textAnchor="end">{short(tick)}</text>
        </g>
      ))}
      {labels.map((label, at) => at % step === 0 && <text key={at} x={x(at)} y={height - 8} textAnchor="middle">{label.length > 16 ? `${label.slice(0, 15)}…` : label}</text>)}
    </g>
  );
}

function Bars({ labels, series, isStacked, frame: { x, y, band } }: Props & { frame: Frame }) {
  const full = Math.min(band * 0.72, isStacked || series.length === 1 ? 46 : 46 * series.length);
  const one = isStacked ? full : full / Math.max(series.length, 1);
  return labels.map((_, at) => {
    let below = 0;
    return series.map((each, number) => {
      const value = each.values[at] ?? 0;
      const [from, to] = [y(below), y(below + value)];
      if (isStacked) below += value;
      if (!value) return null;
      return <rect key={`${at} ${number}`} x={x(at) - full / 2 + (isStacked ? 0 : number * one)} y={Math.min(from, to)} width={Math.max(one - 1, 1)} height={Math.max(Math.abs(from - to), 1)} rx={Math.min(2, one / 4)} fill={colorOf(each, number)} />;
    });
  });
}

/** A missing value breaks the line. */
function Line({ of, color, frame: { x, y }, at }: { of: Series; color: string; frame: Frame; at: number | null }) {
  const points = of.values.map((value, index) => (value === null ? null : { x: x(index), y: y(value) }));
  const path = points.map((point, index) => (point ? `${points[index - 1] ? "L" : "M"}${point.x.toFixed(1)},${point.y.toFixed(1)}` : "")).join("");
  const alone = points.filter((point, index) => point && (points.length < 40 || (!points[index - 1] && !points[index + 1])));
  const current = at === null ? null : points[at];
  return (
    <g fill="none" stroke={color} strokeWidth={2} strokeLinejoin="round">
      <path d={path} />
      {alone.map((point, index) => point && <circle key={index} cx={point.x} cy={point.y} r={2.5} fill={color} stroke="none" />)}
      {current && <circle cx={current.x} cy={current.y} r={4.5} fill={color} stroke="var(--mantine-color-body)" />}
    </g>
  );
}

function Tip({ labels, series, at, frame }: { labels: string[]; series: Series[]; at: number; frame: Frame }) {
  const isRight = frame.x(at) > frame.width / 2;
  const side = isRight ? { right: frame.width - frame.x(at) + 12 } : { left: frame.x(at) + 12 };
  return (
    <div className="chart-tip" role="status" style={side}>
      <b>{labels[at]}</b>
      {series.map((each, number) => <div key={number}><i style={{ background: colorOf(each, number) }} />{each.name} <span>{written(each.values[at])}</span></div>)}
    </div>
  );
}

function Numbers({ labels, series, title }: Props) {
  return (
    <VisuallyHidden>
      <table aria-label={`Numbers of: ${title}`}>
        <thead><tr><th scope="col">Label</th>{series.map((each, at) => <th key={at} scope="col">{each.name}</th>)}</tr></thead>
        <tbody>{labels.slice(0, 500).map((label, at) => <tr key={at}><th scope="row">{label}</th>{series.map((each, number) => <td key={number}>{written(each.values[at])}</td>)}</tr>)}</tbody>
      </table>
    </VisuallyHidden>
  );
}
