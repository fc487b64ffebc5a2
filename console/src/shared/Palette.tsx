// Ctrl-K: every screen, configuration and table by name.
import { Spotlight, spotlight, type SpotlightActionData, type SpotlightActionGroupData } from "@mantine/spotlight";
import { useNavigate } from "@tanstack/react-router";
import { useConfigured, useTables } from "./api/hooks";
import { configPath, tablePath, useScreenPath } from "./parts";
import { SCREENS } from "./screens";

export const openPalette = (): void => spotlight.open();

export function Palette() {
  const screenPath = useScreenPath();
  const navigate = useNavigate();
  const configured = useConfigured();
  const tables = useTables();
  const action = (kind: string, path: string, label: string, description: string): SpotlightActionData => ({
    id: `${kind} ${path}`,
    label,
    description,
    onClick: () => void navigate({ to: screenPath(path) as "/" }),
  });
  const configurations = (configured.data ?? []).flatMap((component) =>
    (component.configurations ?? []).map((config) =>
      action("configuration", configPath(component.id, config.id), config.name, `${component.name} · ${config.id}`),
    ),
  );
  const groups: SpotlightActionGroupData[] = [
    { group: "Screens", actions: SCREENS.map((screen) => action("screen", screen.path, screen.label, screen.words)) },
    { group: "Configurations", actions: configurations },
    { group: "Tables", actions: (tables.data ?? []).map((table) => action("table", tablePath(table.id), table.displayName, table.id)) },
  ];
  return (
    <Spotlight
      actions={groups.filter((group) => group.actions.length > 0)}
      shortcut={["mod + K"]}
      limit={14}
      scrollable
      nothingFound={configured.isPending || tables.isPending ? "Loading…" : "Nothing has this name."}
      searchProps={{ placeholder: "Screens, configurations, tables", "aria-label": "Search" }}
    />
  );
}
