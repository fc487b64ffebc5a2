import { ActionIcon, Tooltip, useComputedColorScheme, useMantineColorScheme } from "@mantine/core";
import { Icon } from "./Icon";

export function ColorSwitch() {
  const { setColorScheme } = useMantineColorScheme();
  const other = useComputedColorScheme("light") === "dark" ? "light" : "dark";
  return (
    <Tooltip label={`Use ${other} colours`}>
      <ActionIcon variant="default" size={30} aria-label={`Use ${other} colours`} onClick={() => setColorScheme(other)}>
        <Icon path={other === "dark" ? "M20 14A8 8 0 0 1 10 4a8 8 0 1 0 10 10z" : "M12 8a4 4 0 1 0 .1 0M12 2v2M12 20v2M2 12h2M20 12h2M5 5l1 1M18 18l1 1M19 5l-1 1M6 18l-1 1"} />
      </ActionIcon>
    </Tooltip>
  );
}
