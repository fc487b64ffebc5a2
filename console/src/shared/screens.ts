// The screens in the order of the navigation. A new screen is a folder in screens/, a row in router.tsx and a line here.
export interface Screen {
  path: string;
  label: string;
  words: string;
  /** The path of an icon, 24 by 24, drawn as lines. */
  icon: string;
}

export const SCREENS: Screen[] = [
  { path: "", label: "Overview", words: "home start dashboard", icon: "M3 12 12 4l9 8M6 10v10h12V10" },
  { path: "extract", label: "Extract", words: "new api url curl discover", icon: "M12 4v10M8 10l4 4 4-4M4 18h16" },
  { path: "components/configurations", label: "Configurations", words: "extractors writers", icon: "M4 7h10M18 7h2M4 17h2M10 17h10M16 4v6M8 14v6" },
  { path: "queue", label: "Jobs", words: "queue runs log", icon: "M5 4v16l14-8z" },
  { path: "storage", label: "Storage", words: "tables buckets upload", icon: "M4 6c0-3 16-3 16 0s-16 3-16 0v12c0 3 16 3 16 0V6M4 12c0 3 16 3 16 0" },
  { path: "sql", label: "SQL", words: "query workspace editor", icon: "M4 5h16v14H4zM7 9l3 3-3 3M12 15h5" },
  { path: "flows", label: "Flows", words: "orchestration phases tasks", icon: "M4 4h6v6H4zM14 14h6v6h-6zM7 10v7h7" },
  { path: "automation", label: "Automation", words: "schedules notifications triggers cron", icon: "M12 3a9 9 0 1 0 .1 0M12 7v5l4 2" },
  { path: "secrets", label: "Secrets", words: "vault variables tokens oauth audit log", icon: "M6 11h12v9H6zM9 11V8a3 3 0 0 1 6 0v3" },
  { path: "components", label: "Components", words: "catalogue documentation", icon: "M4 4h7v7H4zM13 4h7v7h-7zM4 13h7v7H4zM13 13h7v7h-7z" },
  { path: "people", label: "People", words: "members invitations roles users", icon: "M9 5a3.5 3.5 0 1 0 .1 0M2 20c0-7 14-7 14 0M16 5a3.5 3.5 0 0 1 0 7M18 14c3 .5 4 3 4 6" },
  { path: "usage", label: "Usage", words: "cost credits billing", icon: "M5 20V10M12 20V4M19 20v-7" },
  { path: "settings", label: "Settings", words: "services health about limits", icon: "M12 9a3 3 0 1 0 .1 0M12 3v3M12 18v3M3 12h3M18 12h3M6 6l2 2M16 16l2 2M18 6l-2 2M8 16l-2 2" },
];
