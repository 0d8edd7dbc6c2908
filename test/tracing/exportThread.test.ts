import assert from "node:assert/strict";
import { ExportThread } from "../../server/kernel/tracing/exportThread.ts";

describe("the thread that sends spans", () => {
  it("reports why it failed, for each batch", async () => {
    const thread = new ExportThread({
      exporter: { url: "no address", timeoutMillis: 1000 },
      resource: { attributes: {} },
      scope: { name: "portolan", version: "1.0.0" },
    });
    for (let batch = 0; batch < 2; batch++) {
      const { code, error } = await new Promise<{ code: number; error?: Error }>((told) => thread.export([], told));
      assert.equal(code, 1);
      assert.match(error?.message ?? "", /no address/);
    }
    await thread.shutdown();
  });
});
