/** Builds the console into `console/dist`, from where the gateway serves it. */
import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

export default defineConfig({
  root: import.meta.dirname,
  base: "./",
  plugins: [react()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2023",
    cssTarget: ["chrome123", "firefox120", "safari17.5"], // the first with light-dark()
    modulePreload: false, // it would put a script into the page, which the Content-Security-Policy refuses
    rolldownOptions: {
      input: "src/main.tsx",
      output: { entryFileNames: "main.js", chunkFileNames: "[name]-[hash].js", assetFileNames: "[name][extname]" },
    },
  },
});
