import assert from "node:assert/strict";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import type { Database } from "../../server/kernel/database/database.ts";
import { GatewayError } from "../../server/ground/errors.ts";
import { BasicSignIns } from "../../server/kernel/identity/basic.ts";
import { accountIdentity } from "../../server/kernel/identity/identity.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";

describe("HTTP Basic with an account's credentials", () => {
  let test: TestDatabase;
  let database: Database;
  let basic: BasicSignIns;

  before(async () => {
    test = await testDatabase({ kind: "demo" });
    database = openAsGateway(test, { poolSize: 4 });
    const baseUrl = "http://localhost";
    basic = new BasicSignIns({ baseUrl, mfa: "off", mail: undefined, identityOf: accountIdentity });
    await basic.identify(request("guest:guest"), database); // from here on the hash is argon2id
    basic.invalidate(test.name);
  });
  after(async () => {
    await database.close();
    await test.drop();
  });

  function request(credentials: string | undefined, address = "192.0.2.1"): IncomingMessage {
    const message = new IncomingMessage(new Socket());
    if (credentials !== undefined)
      message.headers.authorization = `Basic ${Buffer.from(credentials).toString("base64")}`;
    message.address = address;
    return message;
  }

  async function signIns(): Promise<number> {
    const { rows } = await test.client.query("select count(*)::int from portolan.audit where event like 'sign_in%'");
    return rows[0].count;
  }

  it("is verified once and then valid for a minute, also with simultaneous requests", async () => {
    const before = await signIns();
    const identities = await Promise.all(
      Array.from({ length: 50 }, () => basic.identify(request("guest:guest"), database)),
    );
    assert.deepEqual([identities[0]?.name, identities[0]?.role], ["guest", `guest@${test.name}`]);
    assert.equal(await signIns(), before + 1);
  });

  it("ends at once when an account changes", async () => {
    await test.client.query("select portolan.set_password('guest', 'changed')");
    basic.invalidate(test.name);
    await assert.rejects(basic.identify(request("guest:guest"), database), { code: "UNAUTHENTICATED" });
    assert.equal((await basic.identify(request("guest:changed"), database))?.name, "guest");
  });

  it("wrong credentials are 401 with a Basic challenge, and lock like everywhere", async () => {
    const refuse = async () => {
      try {
        await basic.identify(request(`guest:${Math.random()}`, "192.0.2.9"), database);
      } catch (error) {
        assert.ok(error instanceof GatewayError);
        return error;
      }
      return assert.fail("it was let in");
    };
    const first = await refuse();
    assert.deepEqual(
      [first.status, first.headers["WWW-Authenticate"]],
      [401, 'Basic realm="Portolan", charset="UTF-8"'],
    );
    const statuses: number[] = [];
    for (let count = 0; count < 12; count++) statuses.push((await refuse()).status);
    assert.ok(statuses.includes(429));
  });

  it("a request without it is passed on", async () => {
    assert.equal(await basic.identify(request(undefined), database), undefined);
    await assert.rejects(basic.identify(request("no-colon"), database), { code: "UNAUTHENTICATED" });
  });
});
