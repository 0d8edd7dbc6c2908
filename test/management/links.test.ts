import assert from "node:assert/strict";
import supertest from "supertest";
import { freePort } from "../support/freePort.ts";
import { testGateway } from "../support/gateway.ts";

describe("/api/v4 behind a proxy that adds a path, without CORS", () => {
  it("links with the path of BASE_URL and answers OPTIONS itself", async () => {
    const port = await freePort();
    const gateway = await testGateway({ config: { port, baseUrl: `http://127.0.0.1:${port}/gate`, corsOrigins: [] } });
    try {
      const http = supertest(`http://127.0.0.1:${port}`);
      const token = await gateway.token("captain");
      const { headers, body } = await http
        .post("/api/v4/users")
        .set("Authorization", `Bearer ${token}`)
        .send({ name: "alice" })
        .expect(201);
      assert.equal(headers["location"], "/gate/api/v4/users/alice");
      assert.deepEqual(body, [{ _links: { self: "/gate/api/v4/users/alice" } }]);
      for (const [path, allow] of [
        ["/users", "GET, HEAD, POST, OPTIONS"],
        ["/clients/x", "GET, HEAD, PATCH, DELETE, OPTIONS"],
        ["/schemas/world/tables/cities/privileges", "GET, HEAD, PATCH, OPTIONS"],
        ["/openapi.json", "GET, HEAD, OPTIONS"],
      ] as const)
        assert.equal((await http.options(`/api/v4${path}`).expect(204)).headers["allow"], allow);
    } finally {
      await gateway.close();
    }
  });
});
