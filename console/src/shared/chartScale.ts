// Numbers of a chart: round steps of the axis, the heights that they have, and how they are written.
export interface Scale {
  ticks: number[];
  low: number;
  high: number;
}

const STEPS = [1, 2, 5, 10];

/** About `wanted` round steps that hold all values. Zero is always one of them, so that heights compare. */
export function toScale(values: number[], wanted = 4): Scale {
  const [least, most] = [Math.min(0, ...values), Math.max(0, ...values)];
  const rough = (most - least || 1) / wanted;
  const power = 10 ** Math.floor(Math.log10(rough));
  const round = power * (STEPS.find((each) => each * power >= rough) ?? 10);
  const step = values.every(Number.isInteger) ? Math.max(1, round) : round;
  const [first, last] = [Math.floor(least / step), Math.max(Math.ceil(most / step), Math.floor(least / step) + 1)];
  const ticks = Array.from({ length: last - first + 1 }, (_, at) => (first + at) * step);
  return { ticks, low: first * step, high: last * step };
}

const SHORT = new Intl.NumberFormat("en", { notation: "compact", maximumSignificantDigits: 3 });
const WHOLE = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });
export const short = (value: number): string => SHORT.format(value);
export const written = (value: number | null | undefined): string => (value === null || value === undefined ? "–" : WHOLE.format(value));

/** Every how many labels one is written, so that they do not touch. */
export const labelStep = (labels: string[], width: number): number => {
  const longest = labels.reduce((most, each) => Math.max(most, Math.min(each.length, 16)), 1);
  return Math.max(1, Math.ceil((labels.length * (longest * 6.5 + 12)) / Math.max(width, 1)));
};
