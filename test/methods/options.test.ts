import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { connectAs, type SocketClient } from "../support/webSocket.ts";
import { as, type As } from "./requests.ts";

describe("options of a method that are wrong", () => {
  let gateway: TestGateway;
  let guest: As;
  let captain: As;
  let socket: SocketClient;

  before(async () => {
    gateway = await testGateway();
    [guest, captain] = await Promise.all([as(gateway, "guest"), as(gateway, "captain")]);
    socket = await connectAs(gateway, "guest");
  });

  after(async () => {
    const started = performance.now();
    socket.close();
    await gateway.close();
    assert.ok(performance.now() - started < 5000, "connections were kept");
  });

  it("a format for what is no date is the same error each time, alone and 200 at once, and keeps no connection", async () => {
    const wrong = { q: "select 1 as a", type_formats: { a: "Y" } };
    await captain.define({ method: "misformatted", ...wrong, published: true });
    const viaSql = async (): Promise<void> => {
      const { status, body } = await guest.request("post", "/sql", wrong);
      assert.deepEqual([status, body.parameter], [400, "a"]);
      assert.match(body.detail, /^type_formats: a is of type int4, not a date or time$/);
    };
    const viaCall = async (): Promise<void> => {
      const { code, data } = await guest.fail("misformatted");
      assert.deepEqual([code, data.parameter], [-32602, "a"]);
    };
    const viaSocket = async (id: string): Promise<void> => {
      const { error } = await socket.ask({ jsonrpc: "2.0", method: "misformatted", id });
      assert.equal((error as { code: number }).code, -32602);
    };
    for (let n = 0; n < 15; n++) {
      await viaSql();
      await viaCall();
      await viaSocket(`alone ${n}`);
    }
    await Promise.all(
      Array.from({ length: 200 }, (_, n) => [viaSql, viaCall, () => viaSocket(`together ${n}`)][n % 3]!()),
    );
    assert.deepEqual((await guest.request("post", "/sql", { q: "select 2 as a" })).body.data, [{ a: 2 }]);
  });
});
