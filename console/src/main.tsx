/** The console: an application that uses only the public interfaces of the service. */
import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { router } from "./router.tsx";
import { ServiceError } from "./service/http/ask.ts";
import { whenRepeated } from "./service/http/requestKey.ts";
import { keepFocus } from "./ui/shell/keepFocus.ts";
import { holdButtonsThatAreOff } from "./ui/shell/off.ts";
import { applyTheme } from "./ui/theme.ts";
import { applyLanguage } from "./words/words.ts";
import "./console.css";

const client = new QueryClient({
  defaultOptions: {
    queries: {
      // a refusal would be the same again
      retry: (failures, error) =>
        failures < 2 && !(error instanceof ServiceError && !["UNAVAILABLE", "ACCOUNT_BUSY"].includes(error.code)),
      refetchOnWindowFocus: false,
    },
    mutations: { networkMode: "always" }, // one that cannot be sent says so
  },
});

whenRepeated(() => void client.invalidateQueries());
applyTheme();
applyLanguage();
holdButtonsThatAreOff();
keepFocus();
createRoot(document.getElementById("console")!).render(
  <StrictMode>
    <QueryClientProvider client={client}>
      <RouterProvider router={router} />
    </QueryClientProvider>
  </StrictMode>,
);
