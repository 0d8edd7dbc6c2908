/** Builds the console into `console/dist`, from where the gateway serves it. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";
import { groups } from "./chunks.ts";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark()
    cssCodeSplit: false, // one sheet for all pages
    modulePreload: false, // it would put a script into the page, which the Content-Security-Policy refuses
    rolldownOptions: {
      input: { main: "src/main.tsx", publicMap: "src/publicMap.tsx", publicDashboard: "src/publicDashboard.tsx" },
      output: {
        entryFileNames: "[name].js",
        chunkFileNames: "[name]-[hash].js",
        codeSplitting: { groups },
        assetFileNames: ({ names }) => (names.some((name) => name.endsWith(".css")) ? "main.css" : "[name][extname]"),
      },
    },
  },
});
