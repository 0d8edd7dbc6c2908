/** A public map: a separate page, without an account and without the console around it. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { PublicMap } from "./areas/publicMap/PublicMap.tsx";
import { applyTheme } from "./ui/theme.ts";
import { applyLanguage } from "./words/words.ts";
import "./console.css";

applyTheme();
applyLanguage();
createRoot(document.getElementById("console")!).render(
  <StrictMode>
    <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { refetchOnWindowFocus: false } } })}>
      <PublicMap />
    </QueryClientProvider>
  </StrictMode>,
);
