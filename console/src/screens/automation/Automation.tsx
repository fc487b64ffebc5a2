import { Tabs } from "@mantine/core";
import { Page } from "../../shared/parts";
import { useAddress } from "../../shared/useAddress";
import { Notifications } from "./Notifications";
import { Schedules } from "./Schedules";
import { Triggers } from "./Triggers";

export function Automation() {
  const [tab, setTab] = useAddress("tab", "schedules");
  return (
    <Page title="Automation">
      <Tabs value={tab} onChange={setTab} keepMounted={false}>
        <Tabs.List><Tabs.Tab value="schedules">Schedules</Tabs.Tab><Tabs.Tab value="notifications">Notifications</Tabs.Tab><Tabs.Tab value="triggers">Triggers</Tabs.Tab></Tabs.List>
        <Tabs.Panel value="schedules" pt="md"><Schedules /></Tabs.Panel>
        <Tabs.Panel value="notifications" pt="md"><Notifications /></Tabs.Panel>
        <Tabs.Panel value="triggers" pt="md"><Triggers /></Tabs.Panel>
      </Tabs>
    </Page>
  );
}
