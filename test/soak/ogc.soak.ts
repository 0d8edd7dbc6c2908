import assert from "node:assert/strict";
import { ogcGateway, type OgcGateway } from "../ogc/support.ts";
import { createWalked, walk } from "../ogc/walk.ts";

const FEATURES = 25_000;

describe("a long walk through features", () => {
  let gateway: OgcGateway;
  before(async () => {
    gateway = await ogcGateway();
  });
  after(() => gateway.close());

  for (const limit of [10, 100, 1000])
    it(`${FEATURES} features in pages of ${limit}, forth and back, while others come and go`, async function () {
      this.timeout(600_000);
      await createWalked(gateway, FEATURES);
      const { forth, back, writes } = await walk(gateway, { features: FEATURES, limit });
      assert.ok(forth > 15 && back > 15 && writes > 10);
    });
});
