// The colours and letters of the console and of the portal.
import { createTheme } from "@mantine/core";

export const theme = createTheme({
  primaryColor: "teal",
  primaryShade: 9,
  defaultRadius: "md",
  respectReducedMotion: true,
  fontFamily: "system-ui, -apple-system, 'Segoe UI', Roboto, sans-serif",
  headings: { fontWeight: "650" },
});
