import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// Relative addresses: the console is served at /admin of a host and below /_svc/connection of a bare address.
export default defineConfig({
  base: "./",
  plugins: [react()],
  build: {
    target: "es2022",
    outDir: process.env["PENSTOCK_BUNDLE"] ?? "dist",
    emptyOutDir: true,
    chunkSizeWarningLimit: 900,
    rollupOptions: { input: ["index.html", "portal.html"] },
  },
});
