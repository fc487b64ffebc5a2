import { Code, Tabs } from "@mantine/core";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { Act } from "../../shared/Act";
import { enc, useApi } from "../../shared/api/hooks";
import type { Component } from "../../shared/api/types";
import { Markdown } from "../../shared/Markdown";
import { Empty, Facts, Loaded, Page, Section } from "../../shared/parts";
import { AppVersions } from "./AppVersions";
import { NewConfiguration } from "../configurations/NewConfiguration";

export function ComponentDetail() {
  const { component: id = "" } = useParams({ strict: false });
  const component = useApi<Component>("storage", `/components/${enc(id)}`);
  const [isNew, setNew] = useState(false);
  return (
    <Page title={component.data?.name ?? id} actions={component.data?.hasRun && <Act needs={{ component: id }} onClick={() => setNew(true)}>New configuration</Act>}>
      <Loaded of={component}>
        {(found) => (
          <>
            <Section title="Component">
              <Facts of={[["Id", <span className="mono">{found.id}</span>], ["Type", found.type], ["Version", found.version], ["Runs as a job", found.hasRun ? "yes" : "no"]]} />
            </Section>
            <Tabs defaultValue="documentation" keepMounted={false}>
              <Tabs.List><Tabs.Tab value="documentation">Documentation</Tabs.Tab><Tabs.Tab value="schema">Schema</Tabs.Tab><Tabs.Tab value="versions">Versions</Tabs.Tab></Tabs.List>
              <Tabs.Panel value="documentation" pt="md">{found.longDescription ? <Markdown text={found.longDescription} /> : <Empty title="It has no documentation">{found.description}</Empty>}</Tabs.Panel>
              <Tabs.Panel value="schema" pt="md"><Code block mah={560} style={{ overflow: "auto" }} tabIndex={0}>{JSON.stringify(found.editorSchema ?? found.configurationSchema, null, 2)}</Code></Tabs.Panel>
              <Tabs.Panel value="versions" pt="md"><AppVersions id={id} /></Tabs.Panel>
            </Tabs>
          </>
        )}
      </Loaded>
      {isNew && <NewConfiguration component={id} onClose={() => setNew(false)} />}
    </Page>
  );
}
