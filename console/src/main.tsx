import "@mantine/core/styles.css";
import "@mantine/notifications/styles.css";
import "@mantine/spotlight/styles.css";
import "./shared/console.css";
import { MantineProvider } from "@mantine/core";
import { Notifications } from "@mantine/notifications";
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { createRoot } from "react-dom/client";
import { router } from "./router";
import { hashInBranch } from "./shared/api/branches";
import { againAfter } from "./shared/api/hooks";
import { ApiError, isTemporary } from "./shared/api/reach";
import { theme } from "./shared/theme";

const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 2_000,
      queryKeyHashFn: hashInBranch,
      retry: (count, error) => count < 2 && !isTemporary(error) && !(error instanceof ApiError && error.status >= 400 && error.status < 500),
      refetchInterval: ({ state }) => againAfter(state) ?? false,
    },
  },
});

createRoot(document.getElementById("root")!).render(
  <MantineProvider theme={theme} defaultColorScheme="auto">
    <QueryClientProvider client={queries}>
      <Notifications position="bottom-right" />
      <RouterProvider router={router} />
    </QueryClientProvider>
  </MantineProvider>,
);
