// Makes src/shared/api/generated from the documents that specs.py has written to specs/.
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import openapiTS, { astToString } from "openapi-typescript";

const TARGET = "src/shared/api/generated";
mkdirSync(TARGET, { recursive: true });
for (const file of readdirSync("specs")) {
  const types = await openapiTS(new URL(`specs/${file}`, import.meta.url));
  writeFileSync(`${TARGET}/${file.replace(".json", ".d.ts")}`, astToString(types));
}
