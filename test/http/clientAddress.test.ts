import assert from "node:assert/strict";
import type { IncomingMessage } from "node:http";
import { clientAddress, networkOf, siteOf } from "../../server/kernel/http/clientAddress.ts";
import { toBlockList } from "../../server/kernel/config/addresses.ts";

const trusted = toBlockList(["10.0.0.0/8", "::1"]);
const address = (remoteAddress: string, headers: Record<string, string> = {}) =>
  clientAddress({ socket: { remoteAddress }, headers } as unknown as IncomingMessage, trusted);

describe("the caller's address", () => {
  it("is that of the connection if it is not a trusted proxy, whatever the headers say", () => {
    assert.equal(
      address("192.0.2.1", { "x-forwarded-for": "198.51.100.1", forwarded: "for=198.51.100.1" }),
      "192.0.2.1",
    );
    assert.equal(address("::ffff:192.0.2.1"), "192.0.2.1");
  });

  it("is the rightmost address that is not a trusted proxy", () => {
    assert.equal(address("10.1.1.1", { "x-forwarded-for": "198.51.100.66, 192.0.2.5, 10.9.9.9" }), "192.0.2.5");
    assert.equal(
      address("::1", { forwarded: 'for=198.51.100.66, for="[2001:db8::5]:4711";proto=https' }),
      "2001:db8::5",
    );
    assert.equal(address("10.1.1.1", { "x-forwarded-for": "192.0.2.5:8080" }), "192.0.2.5");
  });

  it("is unknown if the two headers disagree: the caller may have forged one", () => {
    assert.throws(() => address("10.1.1.1", { "x-forwarded-for": "192.0.2.5", forwarded: "for=198.51.100.1" }), {
      code: "BAD_USER_INPUT",
      message: "Forwarded and X-Forwarded-For name two addresses",
    });
  });

  it("is the proxy's if the headers contain no address", () => {
    assert.equal(address("10.1.1.1", { "x-forwarded-for": "192.0.2.5", forwarded: "for=192.0.2.5" }), "192.0.2.5");
    assert.equal(address("10.1.1.1", { "x-forwarded-for": "unknown" }), "10.1.1.1");
    assert.equal(address("10.1.1.1", { "x-forwarded-for": "192.0.2.5, <script>" }), "10.1.1.1");
    assert.equal(address("10.1.1.1"), "10.1.1.1");
  });

  it("is counted by the /64 of version 6, and by the /48 of its site, however it is written", () => {
    for (const written of ["2001:db8:0:7::5", "2001:0DB8:0000:0007:ffff::1", "2001:db8:0:7:0:0:0:9"])
      assert.deepEqual([networkOf(written), siteOf(written)], ["2001:db8:0:7::/64", "2001:db8:0::/48"]);
    assert.deepEqual([networkOf("::1"), siteOf("::ffff:0:192.0.2.1")], ["0:0:0:0::/64", "0:0:0::/48"]);
    assert.deepEqual([networkOf("192.0.2.1"), siteOf("192.0.2.1"), networkOf("")], ["192.0.2.1", undefined, ""]);
  });
});
