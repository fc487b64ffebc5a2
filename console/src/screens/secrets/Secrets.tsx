import { Tabs } from "@mantine/core";
import { Page } from "../../shared/parts";
import { Needs } from "../../shared/rights";
import { AuditLog } from "./AuditLog";
import { Authorizations } from "./Authorizations";
import { Tokens } from "./Tokens";
import { Variables } from "./Variables";

export function Secrets() {
  return (
    <Page title="Secrets">
      <Tabs defaultValue="variables" keepMounted={false}>
        <Tabs.List><Tabs.Tab value="variables">Vault</Tabs.Tab><Tabs.Tab value="tokens">Tokens</Tabs.Tab><Tabs.Tab value="authorizations">Authorizations</Tabs.Tab><Tabs.Tab value="audit">Audit log</Tabs.Tab></Tabs.List>
        <Tabs.Panel value="variables" pt="md"><Needs of="buckets"><Variables /></Needs></Tabs.Panel>
        <Tabs.Panel value="tokens" pt="md"><Needs of="tokens"><Tokens /></Needs></Tabs.Panel>
        <Tabs.Panel value="authorizations" pt="md"><Authorizations /></Tabs.Panel>
        <Tabs.Panel value="audit" pt="md"><AuditLog /></Tabs.Panel>
      </Tabs>
    </Page>
  );
}
