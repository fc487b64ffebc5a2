// The usual schedules as choices, and a cron expression in words.
export const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

export type Often = "minutes" | "hour" | "day" | "week" | "month" | "cron";

export interface Choice {
  often: Often;
  /** Of `minutes`: every how many. */
  step: number;
  time: string;
  weekday: string;
  day: number;
}

export const USUAL: Choice = { often: "day", step: 15, time: "03:00", weekday: "1", day: 1 };

export function toCron({ often, step, time, weekday, day }: Choice): string {
  const [hour = 0, minute = 0] = time.split(":").map(Number);
  if (often === "minutes") return `*/${step} * * * *`;
  if (often === "hour") return `${minute} * * * *`;
  if (often === "week") return `${minute} ${hour} * * ${weekday}`;
  if (often === "month") return `${minute} ${hour} ${day} * *`;
  return `${minute} ${hour} * * *`;
}

/** The choice that makes this expression; `cron` if none does. */
export function fromCron(cron: string): Choice {
  const [minute = "", hour = "", day = "", month = "", weekday = ""] = cron.trim().split(/\s+/);
  const found = (part: Partial<Choice>): Choice => ({ ...USUAL, ...part });
  const time = `${pad(hour)}:${pad(minute)}`;
  const choices: Choice[] = [
    found({ often: "minutes", step: Number(minute.replace("*/", "")) }),
    found({ often: "hour", time: `00:${pad(minute)}` }),
    found({ often: "day", time }),
    found({ often: "week", time, weekday }),
    found({ often: "month", time, day: Number(day) }),
  ];
  const wanted = [minute, hour, day, month, weekday].join(" ");
  return choices.find((each) => isWhole(each) && toCron(each) === wanted) ?? found({ often: "cron" });
}

const isWhole = ({ step, day, time }: Choice): boolean => Number.isInteger(step) && Number.isInteger(day) && /^([01]\d|2[0-3]):[0-5]\d$/.test(time);
const pad = (text: string): string => text.padStart(2, "0");

export function inWords(cron: string): string {
  const { often, step, time, weekday, day } = fromCron(cron);
  if (often === "minutes") return step === 1 ? "every minute" : `every ${step} minutes`;
  if (often === "hour") return `every hour, at minute ${Number(time.slice(3))}`;
  if (often === "day") return `every day at ${time}`;
  if (often === "week") return `every ${DAYS[Number(weekday)] ?? "week"} at ${time}`;
  if (often === "month") return `on day ${day} of every month at ${time}`;
  return "by a cron expression";
}
