import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { IncomingMessage } from "node:http";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import bcrypt from "bcryptjs";
import { compareBcrypt } from "../../server/kernel/identity/bcrypt.ts";
import { Identifier } from "../../server/kernel/identity/identity.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { Person, addClient, assertOAuthError, authPath, makePkce, textOf } from "./support.ts";
import { openAsGateway } from "../support/databases.ts";

describe("passwords, of whatever kind their hash is", () => {
  let gateway: TestGateway;
  let addresses = 0;

  before(async () => {
    gateway = await testGateway({ config: { trustedProxies: ["127.0.0.1"] } });
    await addClient(gateway.database, "app");
  });
  after(() => gateway.close());

  /** An account with this hash, even an invalid one. */
  async function addAccount(name: string, hash: string): Promise<void> {
    await gateway.database.client.query("select portolan.create_user($1, null)", [name]);
    await gateway.database.client.query("update portolan.users set password = $2 where name = $1", [name, hash]);
  }

  /** From an address that never failed before. */
  const freshAddress = () => `10.0.${(addresses += 1) >> 8}.${addresses & 255}`;
  const signIn = (username: string, password: string) =>
    gateway.http
      .post("/api/v4/oauth")
      .set("X-Forwarded-For", freshAddress())
      .send({ grant_type: "password", username, password, client_id: "app" });

  it("bcrypt: the right one signs in, a wrong one does not", async () => {
    await gateway.database.client.query("select portolan.create_user('bcrypted', 'right')");
    assertOAuthError(await signIn("bcrypted", "wrong"), 400, "invalid_grant");
    await signIn("bcrypted", "right").expect(200);
  });

  it("bcrypt: others are served while one is compared", async () => {
    let done = false;
    const compared = compareBcrypt("wrong", await bcrypt.hash("right", 13)).finally(() => (done = true));
    let served = 0;
    while (!done) {
      await gateway.http.get("/ping").expect(200);
      served++;
    }
    assert.equal(await compared, false);
    // most of a second: on the event loop, to which the library returns every 100 ms, there would be only a few chances
    assert.ok(served > 40, `${served} requests were served`);
  });

  it("bcrypt: a process waits for the answer, and then ends although the thread is idle", () => {
    const module = new URL("../../server/kernel/identity/bcrypt.ts", import.meta.url).href;
    const program = `
const { compareBcrypt } = await import(${JSON.stringify(module)});
for (const password of ["right", "wrong"]) console.log(await compareBcrypt(password, ${JSON.stringify(bcrypt.hashSync("right", 4))}));`;
    const folder = mkdtempSync(join(tmpdir(), "portolan-bcrypt-"));
    try {
      const file = join(folder, "compare.mjs");
      writeFileSync(file, program);
      assert.equal(execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 30_000 }), "true\nfalse\n");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it("bcrypt: bytes after the first 72 are not ignored", async () => {
    const password = "x".repeat(72);
    await gateway.database.client.query("select portolan.create_user('lengthy', $1)", [password]);
    assertOAuthError(await signIn("lengthy", `${password}junk`), 400, "invalid_grant");
    await signIn("lengthy", password).expect(200);
  });

  it("an unreadable hash is refused like a wrong password, and is no failure of the service", async () => {
    const broken = [
      "$2a$99$abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz0",
      "$2a$10$short",
      "$2b$",
      "$argon2id$v=19$m=1,t=2,p=1$AA$AA",
      "$argon2id$nonsense",
      "$scrypt$ln=99,r=8,p=1$AAAA$AAAA",
      "$scrypt$ln=1",
      "plain text",
      "",
    ];
    for (const [index, hash] of broken.entries()) {
      await addAccount(`broken${index}`, hash);
      for (const password of ["wrong", hash || "x"])
        assertOAuthError(await signIn(`broken${index}`, password), 400, "invalid_grant");
    }
  });

  describe("an unknown account", () => {
    /** The least time of a refusal; a timer may be a millisecond early. */
    const FLOOR_MS = 250 - 2;

    /** An account of each kind, and a name without an account. */
    const NAMES = ["guest", "slow", "nobody", "anonymous"];

    before(() => gateway.database.client.query("select portolan.create_user('slow', 'slow')"));

    /** Asserts that all the names are refused in the same words, and none before the time that hides the difference. */
    async function assertAlike(refuse: (name: string) => Promise<string>): Promise<void> {
      const words = new Set<string>();
      for (const name of NAMES) {
        const started = performance.now();
        words.add((await refuse(name)).replaceAll(name, "<name>"));
        assert.ok(performance.now() - started >= FLOOR_MS, name);
      }
      assert.equal(words.size, 1, [...words].join("\n"));
    }

    it("is refused like a wrong password at the token endpoint", async () => {
      await assertAlike(async (name) => {
        const answer = await signIn(name, "wrong");
        assertOAuthError(answer, 400, "invalid_grant");
        return answer.text;
      });
    });

    it("is refused like a wrong password at /auth and /device", async () => {
      const { body } = await gateway.http.post("/api/v4/oauth/device").send({ client_id: "app" });
      const device = { user_code: body.user_code as string };
      for (const [path, more] of [
        [authPath("app", makePkce()), {}],
        ["/device", device],
      ] as const)
        await assertAlike(async (username) => {
          const person = new Person(gateway.baseUrl);
          person.agent.set("X-Forwarded-For", freshAddress());
          const page = await person.agent.get(path);
          const answer = await person.submit(path, page, { ...more, username, password: "wrong", action: "sign-in" });
          assert.equal(answer.status, 401);
          return textOf(answer) + answer.text.replaceAll(/value="[\w-]{43}"/g, "");
        });
    });

    it("is refused like a wrong password by HTTP Basic", async () => {
      const { name, gatewayUrl } = gateway.database;
      const database = openAsGateway({ name, gatewayUrl }, { poolSize: 2 });
      const identifier = new Identifier(new Map([[name, database]]), gateway.baseUrl);
      try {
        await assertAlike(async (username) => {
          const request = new IncomingMessage(new Socket());
          request.headers.authorization = `Basic ${Buffer.from(`${username}:wrong`).toString("base64")}`;
          request.address = freshAddress();
          return identifier.identifyIn(request, database).then(
            () => assert.fail("it was let in"),
            (error: unknown) => JSON.stringify([String(error), (error as { headers: object }).headers]),
          );
        });
      } finally {
        await database.close();
      }
    });
  });
});
