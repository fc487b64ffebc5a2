export function count(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toLocaleString("en");
}

export function bytes(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  const units = ["B", "kB", "MB", "GB", "TB"];
  let unit = 0;
  while (value >= 1000 && unit < units.length - 1) {
    value /= 1000;
    unit += 1;
  }
  return `${value.toFixed(unit && value < 10 ? 1 : 0)} ${units[unit]}`;
}

export function duration(seconds: number): string {
  if (seconds < 60) return `${seconds} s`;
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  return `${Math.floor(seconds / 3600)} h ${Math.floor((seconds % 3600) / 60)} min`;
}

/** `2 min ago`, `in 3 h`. */
export function ago(time: string | null | undefined): string {
  if (!time) return "–";
  const seconds = Math.round((Date.parse(fixed(time)) - Date.now()) / 1000);
  const words = new Intl.RelativeTimeFormat("en", { numeric: "auto", style: "short" });
  const steps: [number, Intl.RelativeTimeFormatUnit][] = [[86_400, "day"], [3_600, "hour"], [60, "minute"]];
  for (const [size, unit] of steps) if (Math.abs(seconds) >= size) return words.format(Math.trunc(seconds / size), unit);
  return Math.abs(seconds) < 5 ? "just now" : words.format(seconds, "second");
}

export function moment(time: string | null | undefined): string {
  return time ? `${new Date(fixed(time)).toISOString().slice(0, 19).replace("T", " ")} UTC` : "–";
}

export const clock = (time: string): string => new Date(fixed(time)).toISOString().slice(11, 19);

/** Storage writes `+0000`, which is not a form that every browser reads. */
const fixed = (time: string): string => time.replace(/([+-]\d\d)(\d\d)$/, "$1:$2");
