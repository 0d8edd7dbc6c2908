import { Counter } from "prom-client";
import type { Kernel } from "../../kernel.ts";

const counters = new WeakMap<Kernel, Counter<"kind" | "outcome">>();

/** Where second factors are counted, from the start on. */
export function createFactorMetrics(kernel: Kernel): void {
  counters.set(
    kernel,
    new Counter({
      name: "portolan_second_factors_total",
      help: "Second factors that were given at a sign-in, by kind (code, passkey) and outcome (accepted, refused)",
      labelNames: ["kind", "outcome"],
      registers: [kernel.metrics.registry],
    }),
  );
}

/** One more. */
export function countFactor(kernel: Kernel, kind: "code" | "passkey", outcome: "accepted" | "refused"): void {
  counters.get(kernel)?.inc({ kind, outcome });
}
