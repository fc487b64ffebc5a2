import "@mantine/core/styles.css";
import "../shared/console.css";
import "./portal.css";
import { MantineProvider } from "@mantine/core";
import { createRoot } from "react-dom/client";
import { theme } from "../shared/theme";
import { Portal } from "./Portal";

createRoot(document.getElementById("root")!).render(
  <MantineProvider theme={theme} defaultColorScheme="auto">
    <Portal />
  </MantineProvider>,
);
