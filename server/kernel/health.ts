/** `/ping`, `/livez` and `/readyz`. */
import { Router } from "express";

/** One thing that must be up: resolves when it is, rejects with the reason when it is not. */
export type ReadinessCheck = () => Promise<void>;

const CHECK_TIMEOUT_MS = 2000;

/** `checks`: name → check. 503 names what is down; the reasons stay in the log. */
export function healthRouter(
  checks: Readonly<Record<string, ReadinessCheck>>,
  onFailure: (name: string, reason: unknown) => void,
): Router {
  const router = Router();
  router.get("/ping", (_request, response) => void response.type("text/plain").send("pong"));
  router.get("/livez", (_request, response) => void response.json({ status: "ok" }));
  router.get("/readyz", async (_request, response) => {
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]): Promise<[string, string]> => {
        try {
          await withTimeout(check());
          return [name, "ok"];
        } catch (error) {
          onFailure(name, error);
          return [name, "down"];
        }
      }),
    );
    const down = results.filter(([, state]) => state === "down").map(([name]) => name);
    response
      .status(down.length > 0 ? 503 : 200)
      .set("Cache-Control", "no-store")
      .json({ status: down.length > 0 ? "unavailable" : "ok", down, checks: Object.fromEntries(results) });
  });
  return router;
}

async function withTimeout(check: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${CHECK_TIMEOUT_MS} ms`)), CHECK_TIMEOUT_MS);
  });
  try {
    await Promise.race([check, timeout]);
  } finally {
    clearTimeout(timer);
  }
}
