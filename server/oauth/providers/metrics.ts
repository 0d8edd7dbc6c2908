import { Counter } from "prom-client";
import type { Kernel } from "../../kernel.ts";

/** How a sign-in at another provider has ended here. */
export type ProviderOutcome = "signed_in" | "new_account" | "link_asked" | "linked" | "refused" | "failed";

const counters = new WeakMap<Kernel, Counter<"provider" | "outcome">>();

/** Where sign-ins at other providers are counted, from the start on. */
export function createProviderMetrics(kernel: Kernel): void {
  counters.set(
    kernel,
    new Counter({
      name: "portolan_provider_sign_ins_total",
      help: "Sign-ins at other identity providers, by provider and outcome (signed_in, new_account, link_asked, linked, refused, failed)",
      labelNames: ["provider", "outcome"],
      registers: [kernel.metrics.registry],
    }),
  );
}

/** One more. */
export function countProvider(kernel: Kernel, provider: string, outcome: ProviderOutcome): void {
  counters.get(kernel)?.inc({ provider, outcome });
}
