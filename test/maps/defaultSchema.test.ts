import assert from "node:assert/strict";
import { mapGateway, type MapGateway } from "./fixture.ts";

describe("the map without collections", () => {
  const mapLinks = async (gateway: MapGateway): Promise<string[]> => {
    const { links } = await (await gateway.ask("/", "captain")).json();
    return links.filter(({ rel }: { rel: string }) => rel.endsWith("/map")).map(({ href }: { href: string }) => href);
  };

  it("shows the only schema that has collections, and the landing page leads to it", async () => {
    const gateway = await mapGateway({ prepare: ({ client }) => client.query("drop schema other cascade") });
    try {
      assert.equal((await gateway.map("/map?width=20")).width, 20);
      const hrefs = await mapLinks(gateway);
      assert.ok(hrefs.length > 0);
      for (const href of hrefs) {
        const response = await fetch(href, { headers: { Authorization: `Bearer ${await gateway.token("captain")}` } });
        assert.equal(response.status, 200, href);
        await response.arrayBuffer();
      }
    } finally {
      await gateway.close();
    }
  });

  it("asks which where there are several schemas, and the landing page promises none", async () => {
    const gateway = await mapGateway();
    try {
      assert.equal((await gateway.ask("/map", "captain")).status, 400);
      assert.deepEqual(await mapLinks(gateway), []);
    } finally {
      await gateway.close();
    }
  });
});
