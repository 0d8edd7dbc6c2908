import assert from "node:assert/strict";
import { testGateway } from "../support/gateway.ts";

const TOKEN = "a-token-of-operators";

describe("/metrics and the details of /readyz", () => {
  async function seen(
    config: Readonly<Record<string, unknown>>,
    headers: Readonly<Record<string, string>>,
  ): Promise<{ metrics: number; details: boolean; ready: string }> {
    const gateway = await testGateway({ kind: "portolan", config });
    try {
      const metrics = await gateway.http.get("/metrics").set(headers);
      const ready = await gateway.http.get("/readyz").set(headers);
      return { metrics: metrics.status, details: "checks" in ready.body, ready: typeof ready.body.status };
    } finally {
      await gateway.close();
    }
  }
  const open = { metrics: 200, details: true, ready: "string" };
  const closed = { metrics: 403, details: false, ready: "string" };
  const proxied = { trustedProxies: ["127.0.0.1"] };

  for (const [title, config, headers, expected] of [
    ["are open on loopback by default", {}, {}, open],
    ["are open to private networks by default", proxied, { "X-Forwarded-For": "10.1.2.3" }, open],
    ["are closed to the rest of the world", proxied, { "X-Forwarded-For": "203.0.113.9" }, closed],
    [
      "are closed behind a proxy that is not trusted, which is on loopback itself",
      {},
      { Forwarded: "for=10.1.2.3" },
      closed,
    ],
    ["are closed without the token where one is set", { opsToken: TOKEN }, {}, closed],
    ["are closed with another token", { opsToken: TOKEN }, { Authorization: `Bearer ${TOKEN}x` }, closed],
    [
      "are open with the token",
      { opsToken: TOKEN, ...proxied },
      { Authorization: `bearer ${TOKEN}`, "X-Forwarded-For": "203.0.113.9" },
      open,
    ],
    [
      "are open to the addresses that are named",
      { opsAddresses: "203.0.113.0/24", ...proxied },
      { "X-Forwarded-For": "203.0.113.9" },
      open,
    ],
    ["and to no others then", { opsAddresses: "203.0.113.0/24" }, {}, closed],
  ] as const)
    it(title, async () => assert.deepEqual(await seen(config, headers), expected));
});
