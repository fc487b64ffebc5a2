import { Button, Group, Modal, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { call } from "../../shared/api/client";
import { enc, useChange } from "../../shared/api/hooks";
import type { Configuration, Table } from "../../shared/api/types";
import { configPath, useScreenPath } from "../../shared/parts";
import { toTransformation } from "./transformation";

export const COMPONENTS: Record<string, string> = { duckdb: "keboola.duckdb-transformation", snowflake: "keboola.snowflake-transformation" };

/** The statements as a configuration that jobs, flows and schedules can run. */
export function SaveTransformation({ text, dialect, tables, onClose }: { text: string; dialect: string; tables: Table[]; onClose: () => void }) {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [output, setOutput] = useState("out.c-sql.result");
  const component = COMPONENTS[dialect] ?? "";
  const { configuration, reads, hasResult } = toTransformation(text, tables, name || "Queries", output);
  const save = useChange(
    () => call<Configuration>("storage", `/components/${enc(component)}/configs`, { method: "POST", body: { name, configuration } }),
    ({ id }) => void navigate({ to: screenPath(configPath(component, id)) as "/" }),
  );
  return (
    <Modal opened onClose={onClose} title="Save as transformation" closeButtonProps={{ "aria-label": "Close" }}>
      <form onSubmit={(event) => { event.preventDefault(); save.mutate(undefined); }}>
        <Stack>
          <TextInput label="Name" value={name} onChange={(event) => setName(event.currentTarget.value)} required data-autofocus />
          {hasResult && <TextInput label="Table for the rows of the last query" value={output} onChange={(event) => setOutput(event.currentTarget.value)} required />}
          <Text size="sm">{reads.length ? <>It reads <span className="mono">{reads.join(", ")}</span>.</> : "It reads no table of Storage."} {hasResult ? "" : "The last statement is not a query, so add the tables that it writes to the output of the configuration."}</Text>
          <Group justify="flex-end"><Button type="submit" loading={save.isPending}>Save</Button></Group>
        </Stack>
      </form>
    </Modal>
  );
}
