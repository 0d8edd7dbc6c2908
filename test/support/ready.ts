import { setTimeout } from "node:timers/promises";

const WITHIN_MS = 20_000;

/** Resolves with the answer when `/readyz` says 200: just after a start, or a fault, it may say 503 for a while. */
export async function ready(baseUrl: string): Promise<{ readonly checks: Readonly<Record<string, string>> }> {
  const end = Date.now() + WITHIN_MS;
  for (;;) {
    const response = await fetch(`${baseUrl}/readyz`);
    const body = (await response.json()) as { readonly checks: Readonly<Record<string, string>> };
    if (response.status === 200) return body;
    if (Date.now() > end) throw new Error(`not ready within ${WITHIN_MS} ms: ${JSON.stringify(body)}`);
    await setTimeout(100);
  }
}
