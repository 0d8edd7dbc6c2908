import assert from "node:assert/strict";
import { serverAudits } from "graphql-http";
import { testGateway, type TestGateway } from "../support/gateway.ts";

/** The audits of graphql-http (https://graphql.github.io/graphql-over-http/draft/), under their own names. */
describe("GraphQL over HTTP", () => {
  let gateway: TestGateway;
  let token: string;

  before(async () => {
    gateway = await testGateway();
    token = await gateway.token("guest");
  });
  after(() => gateway.close());

  const audits = serverAudits({
    url: () => `${gateway.baseUrl}/api/graphql/schema/world`,
    fetchFn: (url: string, init: RequestInit = {}) =>
      fetch(url, {
        ...init,
        headers: { ...(init.headers as Record<string, string>), authorization: `Bearer ${token}` },
      }),
  });
  for (const audit of audits)
    it(`${audit.id} ${audit.name}`, async () => {
      const result = await audit.fn();
      if (result.status !== "ok") assert.fail(`${result.status}: ${result.reason}`);
    });
});
