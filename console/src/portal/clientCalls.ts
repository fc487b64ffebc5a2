// The calls of `penstock.client` that send an operation, by its service and id; the others are sent by an HTTP library.
import type { Example } from "./example";

type Call = (of: Values) => string;
interface Values { path: Record<string, string>; query: Record<string, string>; body: Record<string, unknown> }

const CALLS: Record<string, Call> = {
  "queue#create_job": ({ body }) => `job = stack.run_job(${python(body["component"])}, ${python(body["config"])})\nprint(stack.wait(job).message)`,
  "queue#get_job": ({ path }) => `print(stack.get_job(${python(path["job_id"])}).status)`,
  "queue#search_jobs": ({ query }) => `print(stack.jobs.search(${python(query)}))`,
  "queue#list_jobs": ({ query }) => `print(stack.jobs.search(${python(query)}))`,
  "queue#terminate_job": ({ path }) => `stack.jobs.terminate(${python(path["job_id"])})`,
  "scheduler#list_schedules": () => "print(stack.schedules.list())",
  "scheduler#activate": ({ body }) => `stack.schedules.activate(${python(body["configurationId"])})`,
  "scheduler#delete_schedule": ({ path }) => `stack.schedules.delete(${python(path["schedule_id"])})`,
  "billing#read_credits": () => "print(stack.billing.read_balance())",
  "billing#read_usage": () => "print(list(stack.billing.read_usage()))",
  "sync-actions#run_action": ({ body }) => `print(stack.components.run_action(${python(body["componentId"])}, ${python(body["action"])}, {}))`,
  "import#write_table": ({ body }) => `stack.tables.load(${python(body["tableId"])}, Path("rows.csv"), incremental=${python(body["incremental"] ?? false)})`,
  "import#upload_file": ({ body }) => `stack.files.upload(Path("rows.csv")${body["name"] ? `, ${python(body["name"])}` : ""})`,
  "storage#verify_token": () => "print(stack.tokens.verify().description)",
  "storage#list_tokens": () => "print(stack.tokens.list())",
  "storage#create_token": ({ body }) => `print(stack.tokens.create(${python(body["description"])}).token)`,
  "storage#revoke_token": ({ path }) => `stack.tokens.revoke(${python(path["token_id"])})`,
  "storage#list_tables": () => "print(stack.tables.list())",
  "storage#get_table": ({ path }) => `print(stack.tables.get(${python(path["table_id"])}).columns)`,
  "storage#preview_table": ({ path }) => `print(stack.tables.preview(${python(path["table_id"])}).rows)`,
  "storage#delete_table": ({ path }) => `stack.tables.delete(${python(path["table_id"])})`,
  "storage#import_file": ({ path }) => `stack.tables.load(${python(path["table_id"])}, Path("rows.csv"))`,
  "storage#export_table": ({ path }) => `print(stack.tables.export(${python(path["table_id"])}, Path("rows")))`,
  "storage#list_files": () => "print(stack.files.list())",
  "storage#get_file": ({ path }) => `print(stack.files.get(${python(path["file_id"])}))`,
  "storage#delete_file": ({ path }) => `stack.files.delete(${python(path["file_id"])})`,
  "storage#prepare_file": ({ body }) => `stack.files.upload(Path("rows.csv"), ${python(body["name"])})`,
  "storage#list_components": () => "print(stack.configurations.list())",
  "storage#list_configurations": ({ path }) => `print(stack.configurations.list(${python(path["component_id"])}))`,
  "storage#get_configuration": ({ path }) => `print(stack.configurations.get(${one(path)}))`,
  "storage#create_configuration": ({ path, body }) => `print(stack.configurations.create(${python(path["component_id"])}, ${python(body["name"])}, ${python(body["configuration"] ?? {})}).id)`,
  "storage#remove_configuration": ({ path }) => `stack.configurations.delete(${one(path)})`,
  "storage#list_versions": ({ path }) => `print(stack.configurations.list_versions(${one(path)}))`,
  "storage#roll_back": ({ path }) => `stack.configurations.roll_back(${one(path)}, ${path["version"] ?? ""})`,
  "storage#list_events": ({ query }) => `for event in stack.read_events(${python(query["runId"] ?? "JOB")}):\n    print(event.type, event.message)`,
};

export const findCall = (service: string, id: string, example: Example): string | undefined =>
  CALLS[`${service}#${id}`]?.({ path: example.path, query: example.query, body: (example.body ?? {}) as Record<string, unknown> });

const one = (path: Record<string, string>): string => `${python(path["component_id"])}, ${python(path["config_id"])}`;

/** A value of JSON as Python writes it. */
export function python(value: unknown): string {
  if (value === null || value === undefined) return "None";
  if (typeof value === "boolean") return value ? "True" : "False";
  if (Array.isArray(value)) return `[${value.map(python).join(", ")}]`;
  if (typeof value === "object") return `{${Object.entries(value).map(([key, each]) => `${JSON.stringify(key)}: ${python(each)}`).join(", ")}}`;
  return JSON.stringify(value);
}
