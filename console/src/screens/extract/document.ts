// Changes of a configuration of the extractor. Each returns a new document, and keeps what it does not know.
import { isMap } from "../../shared/schema";
import type { Document } from "./actions";

export type Keys = (string | number)[];

export interface Column {
  /** Its key in the mapping: the path of the value in a record, with this delimiter. */
  key: string;
  delimiter: string;
  name: string;
  isKey: boolean;
}

export interface JobPlace {
  id: string;
  label: string;
  path: Keys;
}

const JOBS: Keys = ["parameters", "config", "jobs"];

export function getAt(value: unknown, path: Keys): unknown {
  return path.reduce<unknown>((at, key) => (Array.isArray(at) ? at[Number(key)] : isMap(at) ? at[key] : undefined), value);
}

export function setAt(value: unknown, [key, ...rest]: Keys, next: unknown): unknown {
  if (key === undefined) return next;
  if (Array.isArray(value)) return value.map((each: unknown, at) => (at === Number(key) ? setAt(each, rest, next) : each));
  const own = isMap(value) ? value : {};
  if (next === undefined && !rest.length) return Object.fromEntries(Object.entries(own).filter(([each]) => each !== String(key)));
  return { ...own, [key]: setAt(own[key], rest, next) };
}

/** Every job, children after their parent: `0_1` is the second child of the first. */
export function listJobs(document: Document, path: Keys = JOBS, above: string[] = []): JobPlace[] {
  const jobs = getAt(document, path);
  if (!Array.isArray(jobs)) return [];
  return jobs.flatMap((job: unknown, at) => {
    const ids = [...above, String(at)];
    const label = `${"– ".repeat(above.length)}${String(getAt(job, ["endpoint"]) ?? `Job ${at + 1}`)}`;
    return [{ id: ids.join("_"), label, path: [...path, at] }, ...listJobs(document, [...path, at, "children"], ids)];
  });
}

export const setDataField = (document: Document, job: Keys, path: Keys): Document =>
  setAt(document, [...job, "dataField"], toSetting(path)) as Document;

/** Keys that hold a dot need another delimiter. */
function toSetting(path: Keys): unknown {
  const delimiter = delimiterOf(path);
  if (!path.length) return ".";
  return delimiter === "." ? path.join(".") : { path: path.join(delimiter), delimiter };
}

/** The path of the records in a response; undefined if the setting is left out or is a function. */
export function dataFieldOf(document: Document, job: Keys): Keys | undefined {
  const field = getAt(document, [...job, "dataField"]);
  if (field === ".") return [];
  if (typeof field === "string" && field) return field.split(".");
  const path = getAt(field, ["path"]);
  return typeof path === "string" && path && path !== "." ? path.split(String(getAt(field, ["delimiter"]) ?? ".")) : path === "." ? [] : undefined;
}

const typeOf = (document: Document, job: Keys): string => String(getAt(document, [...job, "dataType"]) ?? getAt(document, [...job, "endpoint"]) ?? "items");
const mappingPath = (document: Document, job: Keys): Keys => ["parameters", "config", "mappings", typeOf(document, job)];

export function columnsOf(document: Document, job: Keys): Column[] {
  const mapping = getAt(document, mappingPath(document, job));
  return Object.entries(isMap(mapping) ? mapping : {}).map(([key, entry]) => ({
    key,
    delimiter: String(getAt(entry, ["delimiter"]) ?? "."),
    name: typeof entry === "string" ? entry : String(getAt(entry, ["mapping", "destination"]) ?? getAt(entry, ["destination"]) ?? key),
    isKey: getAt(entry, ["mapping", "primaryKey"]) === true,
  }));
}

export const setMapping = (document: Document, job: Keys, mapping: Document | undefined): Document =>
  setAt(withType(document, job), mappingPath(document, job), mapping && Object.keys(mapping).length ? mapping : undefined) as Document;

export function addColumn(document: Document, job: Keys, path: Keys, isJson: boolean): Document {
  const delimiter = delimiterOf(path);
  const known = columnsOf(document, job);
  if (known.some((each) => isColumnOf(each, path))) return document;
  const destination = free(path.join("_").replace(/[^A-Za-z0-9_]/g, "_").replace(/^_+/, "") || "data", known.map((each) => each.name));
  const entry = { mapping: { destination }, ...(isJson && { forceType: true }), ...(delimiter !== "." && { delimiter }) };
  return setAt(withType(document, job), [...mappingPath(document, job), keyOf(path, delimiter)], entry) as Document;
}

export const isColumnOf = (column: Column, path: Keys): boolean => column.key === keyOf(path, column.delimiter);
const keyOf = (path: Keys, delimiter: string): string => (path.length ? path.join(delimiter) : ".");

export function changeColumn(document: Document, job: Keys, key: string, change: { name?: string; isKey?: boolean }): Document {
  const path = [...mappingPath(document, job), key];
  const entry = getAt(document, path);
  const whole = typeof entry === "string" ? { mapping: { destination: entry } } : entry;
  const place = getAt(whole, ["type"]) === "table" ? ["destination"] : ["mapping", "destination"];
  const named = change.name === undefined ? whole : setAt(whole, place, change.name);
  return setAt(document, path, change.isKey === undefined ? named : setAt(named, ["mapping", "primaryKey"], change.isKey || undefined)) as Document;
}

export function removeColumn(document: Document, job: Keys, key: string): Document {
  const { [key]: _gone, ...rest } = (getAt(document, mappingPath(document, job)) ?? {}) as Document;
  return setMapping(document, job, rest);
}

/** The settings of a finding, added to those of the job. A mapped table has its key in the mapping. */
export function applyFinding(document: Document, job: Keys, { primaryKey, params, ...rest }: Document): Document {
  const keys = (primaryKey ?? []) as string[];
  const isMapped = columnsOf(document, job).length > 0;
  const keyed = isMapped ? keys.reduce((at, key) => withKey(at, job, key), document) : (setAt(document, [...job, "primaryKey"], primaryKey) as Document);
  const withParams = Object.entries(params ?? {}).reduce((at, [name, value]) => setAt(at, [...job, "params", name], value) as Document, keyed);
  return Object.entries(rest).reduce((at, [name, value]) => setAt(at, [...job, name], value) as Document, withParams);
}

function withKey(document: Document, job: Keys, path: string): Document {
  const added = addColumn(document, job, path.split("."), false);
  const column = columnsOf(added, job).find((each) => isColumnOf(each, path.split(".")));
  return column ? changeColumn(added, job, column.key, { isKey: true }) : added;
}

/** Whether the job has these settings already. */
export function isUsed(document: Document, job: Keys, settings: Document): boolean {
  return JSON.stringify(applyFinding(document, job, settings)) === JSON.stringify(document);
}

/** A mapping is found by the data type of the job. */
const withType = (document: Document, job: Keys): Document => setAt(document, [...job, "dataType"], typeOf(document, job)) as Document;
const delimiterOf = (path: Keys): string => [".", "/", "|", ":", ";", "~"].find((each) => !path.some((key) => String(key).includes(each))) ?? "~";
const free = (name: string, taken: string[]): string => (taken.includes(name) ? free(`${name}_1`, taken) : name);
