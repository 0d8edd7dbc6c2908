/** Starts a public page, in the theme and the language of the browser. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode, type ReactNode } from "react";
import { createRoot } from "react-dom/client";
import { applyTheme } from "./ui/theme.ts";
import { applyLanguage } from "./words/words.ts";
import "./console.css";

export function showPublic(page: ReactNode): void {
  applyTheme();
  applyLanguage();
  createRoot(document.getElementById("console")!).render(
    <StrictMode>
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { refetchOnWindowFocus: false } } })}>
        {page}
      </QueryClientProvider>
    </StrictMode>,
  );
}
