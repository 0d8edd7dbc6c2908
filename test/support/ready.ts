import { until } from "./until.ts";

interface Readiness {
  readonly checks: Readonly<Record<string, string>>;
}

/** Resolves with the answer when `/readyz` says 200. Just after a start or a fault it may say 503 for a while. */
export async function ready(baseUrl: string): Promise<Readiness> {
  let body: Readiness = { checks: {} };
  await until(
    async () => {
      const response = await fetch(`${baseUrl}/readyz`);
      body = (await response.json()) as Readiness;
      return response.status === 200;
    },
    undefined,
    () => JSON.stringify(body),
  );
  return body;
}
