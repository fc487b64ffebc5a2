// How close the rows of lists are. The choice is kept in the browser.
import { ActionIcon, Tooltip } from "@mantine/core";
import { useEffect, useState } from "react";
import { Icon } from "./Icon";

const KEY = "penstock.density";

export function DensitySwitch() {
  const [isCompact, setCompact] = useState(() => localStorage.getItem(KEY) === "compact");
  useEffect(() => {
    document.documentElement.dataset["density"] = isCompact ? "compact" : "";
    localStorage.setItem(KEY, isCompact ? "compact" : "");
  }, [isCompact]);
  return (
    <Tooltip label={isCompact ? "More space between rows" : "Compact rows"}>
      <ActionIcon variant="default" size={30} visibleFrom="sm" aria-label="Compact rows" aria-pressed={isCompact} onClick={() => setCompact(!isCompact)}>
        <Icon path={isCompact ? "M4 5h16M4 12h16M4 19h16" : "M4 6h16M4 10h16M4 14h16M4 18h16"} />
      </ActionIcon>
    </Tooltip>
  );
}
