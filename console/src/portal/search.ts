// The search over all operations: what people type, in their own words, ranked by how well titles say it.
import type { Found } from "./documents";

/** Words for one thing; the first is the one of titles. */
const SAME = [
  "add attach append", "authorize connect", "bucket folder schema", "cancel abort", "change edit modify set update rename", "check validate test",
  "column field", "component connector extractor", "configuration config configurations configs setting", "create make new add register",
  "csv rows data", "delete remove drop erase purge", "download fetch save", "encrypt secret", "event log logs history", "fail failed failure error why", "export dump unload download",
  "flow orchestration pipeline", "get read show fetch detail status", "import load ingest upload", "invite invitation", "job task", "create run start", "list all find browse",
  "load import upload insert", "member people person user", "notification alert notify", "subscription subscribe notify alert", "password credentials", "preview sample look",
  "project workspace", "query sql select statement", "rerun retry", "restore undelete undo recover", "revoke disable", "roll revert back rollback",
  "row record", "run execute start trigger launch submit", "schedule cron timer", "share send", "sign log login signin", "stop kill cancel terminate abort end",
  "token key credential", "upload send push import", "usage cost consumption billing", "variable secret", "verify check", "version history revision",
].map((line) => line.split(" ").map(stem));
const EMPTY = new Set("a an the to of in into from for with by on and or my me i how do does can is it this that at as".split(" "));
const [TITLE, RESOURCE, PATH, TEXT, OTHER] = [10, 4, 4, 1.5, 3];
const [SYNONYM, PREFIX] = [0.55, 0.7];

const COMMON: Record<string, number> = { query: 1, queue: 0.5, storage: 0.5 };
const FEW_WORDS = 0.5;

interface Entry { title: Set<string>; head: Set<string>; verb: Set<string>; spelled: Set<string>; places: [weight: number, words: Set<string>][]; exact: string; bonus: number }

const entries = new WeakMap<Found, Entry>();

/** The operations that have every word, or another word for it; the best first. If there are none, those that have at least half of
 * the words. Twins within a branch are left out. */
export function search(all: Found[], text: string): Found[] {
  const plain = text.toLowerCase().trim();
  const words = wordsOf(plain).filter((word) => !EMPTY.has(word));
  if (!words.length) return [];
  const scored = all.filter((each) => !each.operation["x-twin"]).map((found) => ({ found, ...rate(entryOf(found), words, plain) }));
  const complete = scored.filter(({ share }) => share === 1);
  return (complete.length ? complete : scored.filter(({ share }) => share >= FEW_WORDS))
    .sort((one, other) => other.share - one.share || other.score - one.score)
    .map(({ found }) => found);
}

/** The share of the words that the operation has, and how well it has them. */
function rate(entry: Entry, words: string[], plain: string): { share: number; score: number } {
  const scores = words.map((word) => Math.max(...entry.places.map(([weight, known]) => weight * match(word, known))));
  const cover = (known: Set<string>): number => words.filter((word) => match(word, known) > 0).length / Math.max(known.size, words.length);
  const isVerb = match(words[0] ?? "", entry.verb) > 0;
  const spelled = plain.split(/[^a-z0-9]+/).filter((word) => entry.spelled.has(word)).length / words.length;
  const fit = scores.reduce((sum, score) => sum + score, 0) / words.length;
  const score = fit + 4 * cover(entry.head) + 3 * cover(entry.title) + (isVerb ? 2 : 0) + spelled + (entry.exact.includes(plain) ? 4 : 0) + entry.bonus;
  return { share: scores.filter((each) => each > 0).length / words.length, score };
}

/** 1 for the word itself, less for its beginning and for another word of the same meaning, 0 for none. */
function match(word: string, known: Set<string>): number {
  if (known.has(word)) return 1;
  if (meaningsOf(word).some((other) => known.has(other))) return SYNONYM;
  if (word.length > 2 && [...known].some((other) => other.startsWith(word))) return PREFIX;
  return 0;
}

function entryOf(found: Found): Entry {
  const known = entries.get(found);
  if (known) return known;
  const { operation, service, path, method, id } = found;
  const title = wordsOf(operation.summary).filter((word) => !EMPTY.has(word));
  const head = wordsOf(operation.summary.split(/ (?:of|from|with|in|into|to|at|by|for|that) /)[0] ?? "").filter((word) => !EMPTY.has(word));
  const entry: Entry = {
    title: new Set(title),
    head: new Set(head),
    verb: new Set(title.slice(0, 1)),
    spelled: new Set(operation.summary.toLowerCase().split(/[^a-z0-9]+/)),
    places: [
      [TITLE, new Set(title)],
      [RESOURCE, new Set(wordsOf((operation.tags ?? []).join(" ")))],
      [PATH, new Set(wordsOf(`${path} ${id}`))],
      [OTHER, new Set([...wordsOf(service), method.toLowerCase()])],
      [TEXT, new Set(wordsOf(operation.description))],
    ],
    exact: `${service} ${method} ${path} ${id}`.toLowerCase(),
    bonus: (COMMON[service] ?? 0) - (operation.responses["501"] ? 3 : 0),
  };
  entries.set(found, entry);
  return entry;
}

function meaningsOf(word: string): string[] {
  const known = meanings.get(word) ?? SAME.filter((line) => line.includes(word)).flat();
  meanings.set(word, known);
  return known;
}

const meanings = new Map<string, string[]>();
/** As stems: see stem. */
const wordsOf = (text: string): string[] => (text.toLowerCase().match(/[a-z0-9]+/g) ?? []).map(stem);

/** Without the ending of a plural or of a verb. */
function stem(word: string): string {
  if (word.length > 4 && word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (word.length > 3 && word.endsWith("s") && !word.endsWith("ss") && !word.endsWith("us")) return word.slice(0, -1);
  if (word.length > 5 && word.endsWith("ing")) return word.slice(0, -3);
  return word;
}
