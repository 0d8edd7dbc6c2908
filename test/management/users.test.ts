import assert from "node:assert/strict";
import { compareInTurn, inTurn } from "../../server/kernel/identity/passwords.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";
import { INJECTIONS, problemOf, requestsAs, type Requests } from "./requests.ts";

async function verifyPassword(password: string, hash: string | null): Promise<boolean> {
  return (await inTurn(() => compareInTurn(password, hash))).later;
}

describe("/api/v4/users", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;
  const query = async (text: string, values: unknown[] = []) =>
    (await gateway.database.client.query(text, values)).rows;
  const storedHash = async (name: string): Promise<string | null> =>
    (await query("select password from portolan.users where name = $1", [name]))[0].password;
  const names = async (): Promise<string[]> =>
    (await query("select name from portolan.users order by name")).map(({ name }) => name);
  const isMember = async (account: string, of: string): Promise<boolean> =>
    (
      await query(
        "select pg_has_role($1 || '@' || current_database(), $2 || '@' || current_database(), 'usage') as is",
        [account, of],
      )
    )[0].is;
  /** Waits until a token is refused: the gateway notices within 5 s. */
  async function refused(requests: Requests, path: string): Promise<void> {
    await until(async () => (await requests("get", path)).status === 401, 5000);
  }

  before(async () => {
    gateway = await testGateway({ config: { trustedProxies: ["127.0.0.1"] } });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });
  after(() => gateway.close());

  describe("a super user", () => {
    it("makes an account: 201, Location, a link to it, and the role behind it", async () => {
      const { headers, text } = await captain("post", "/users", {
        name: "alice",
        password: "s3cret",
        email: "alice@example.org",
        user_group: "guest",
        properties: { town: "Oslo", n: [1, { a: null }] },
      }).expect(201);
      assert.equal(headers["location"], "/api/v4/users/alice");
      assert.equal(headers["cache-control"], "no-store");
      assert.equal(headers["content-type"], "application/json; charset=utf-8");
      assert.equal(text, '[{"_links":{"self":"/api/v4/users/alice"}}]');
      const hash = await storedHash("alice");
      assert.match(hash ?? "", /^\$argon2id\$v=19\$m=19456,p=1,t=2\$/);
      assert.equal(await verifyPassword("s3cret", hash), true);
      assert.equal(await isMember("alice", "guest"), true);
      assert.equal(await isMember("alice", "owner"), false);
    });

    it("makes one with the members that say whether people may sign up", async () => {
      const users = [
        { name: "opener", superuser: true, allow_signup: false, social_signup: true },
        { name: "plain", allow_signup: null },
      ];
      await captain("post", "/users", users).expect(201);
      const { body } = await captain("get", "/users/opener,plain").expect(200);
      assert.deepEqual(
        body.map((user: Record<string, unknown>) => [user["superuser"], user["allow_signup"], user["social_signup"]]),
        [
          [true, false, true],
          [false, null, null],
        ],
      );
      problemOf(await captain("post", "/users", { name: "neither", allow_signup: "yes" }), 400);
      await captain("delete", "/users/opener,plain").expect(204);
    });

    it("reads one as an object, several and all as arrays, in compact JSON and never a password", async () => {
      const { text } = await captain("get", "/users/alice").expect(200);
      assert.equal(
        text,
        '{"name":"alice","email":"alice@example.org","user_group":"guest","properties":{"n":[1,{"a":null}],"town":"Oslo"},"superuser":false,"default_user":false,"email_verified":false,"two_factor":false,"allow_signup":null,"social_signup":null,"last_sign_in":null,"locked_until":null}',
      );
      const several = await captain("get", "/users/guest,ALICE,alice").expect(200);
      assert.deepEqual(
        several.body.map(({ name }: { name: string }) => name),
        ["alice", "guest"],
      );
      const all = await captain("get", "/users").expect(200);
      assert.deepEqual(
        all.body.map(({ name }: { name: string }) => name),
        await names(),
      );
      assert.doesNotMatch(all.text, /password|argon2|\$2a/);
    });

    it("lists a page, and those whose name or e-mail contains a text", async () => {
      const listed = async (query: string) =>
        (await captain("get", `/users?${query}`).expect(200)).body.map(({ name }: { name: string }) => name);
      const all = await names();
      assert.deepEqual(await listed("limit=2"), all.slice(0, 2));
      assert.deepEqual(await listed(`limit=2&after=${all[1]}`), all.slice(2, 4));
      assert.deepEqual(await listed("q=ALICE@"), ["alice"]);
      assert.deepEqual(await listed("q=%25"), []);
      assert.deepEqual(await listed("q=lic&after=alice"), []);
      for (const wrong of ["limit=0", "limit=x", "limit=1001", "page=2"])
        problemOf(await captain("get", `/users?${wrong}`), 400);
      problemOf(await (await requestsAs(gateway, "guest"))("get", "/users?limit=1"), 403);
    });

    it("makes several, all or none", async () => {
      const { headers, body } = await captain("post", "/users", [
        { name: "Crew", password: null },
        { name: "bob", password: "b", user_group: "crew" },
      ]).expect(201);
      assert.equal(headers["location"], "/api/v4/users/crew,bob");
      assert.deepEqual(body, [{ _links: { self: "/api/v4/users/crew" } }, { _links: { self: "/api/v4/users/bob" } }]);
      assert.equal(await isMember("bob", "crew"), true);
      const before = await names();
      assert.match(
        problemOf(await captain("post", "/users", [{ name: "carol" }, { name: "bob" }]), 409),
        /"bob" exists/,
      );
      assert.match(
        problemOf(await captain("post", "/users", [{ name: "carol" }, { name: "dave", user_group: "nobody" }]), 400),
        /"nobody"/,
      );
      assert.match(problemOf(await captain("post", "/users", [{ name: "carol" }, { name: "CAROL" }]), 409), /"carol"/);
      assert.deepEqual(await names(), before);
      assert.deepEqual(await query("select from pg_roles where rolname = 'carol@' || current_database()"), []);
    });

    it("changes only the named members: 303, Location, the same body", async () => {
      const { headers, text } = await captain("patch", "/users/bob", {
        email: "bob@example.org",
        properties: { rank: "mate" },
      }).expect(303);
      assert.equal(headers["location"], "/api/v4/users/bob");
      assert.equal(text, '[{"_links":{"self":"/api/v4/users/bob"}}]');
      const { body } = await captain("get", "/users/bob").expect(200);
      assert.deepEqual(body, {
        name: "bob",
        email: "bob@example.org",
        user_group: "crew",
        properties: { rank: "mate" },
        superuser: false,
        default_user: false,
        email_verified: false,
        two_factor: false,
        allow_signup: null,
        social_signup: null,
        last_sign_in: null,
        locked_until: null,
      });
      assert.equal(await verifyPassword("b", await storedHash("bob")), true);
      await captain("patch", "/users/bob", {}).expect(303);
      await captain("patch", "/users/bob", { email: null }).expect(303);
      assert.equal((await captain("get", "/users/bob")).body.email, null);
    });

    it("moves an account from group to group, and makes it a super user and back", async () => {
      await captain("patch", "/users/bob", { user_group: "guest" }).expect(303);
      assert.deepEqual([await isMember("bob", "crew"), await isMember("bob", "guest")], [false, true]);
      await captain("patch", "/users/bob", { user_group: null, superuser: true }).expect(303);
      assert.deepEqual([await isMember("bob", "guest"), await isMember("bob", "owner")], [false, true]);
      await (await requestsAs(gateway, "bob"))("get", "/users").expect(200);
      await captain("patch", "/users/bob", { superuser: false, user_group: "crew" }).expect(303);
      assert.deepEqual([await isMember("bob", "crew"), await isMember("bob", "owner")], [true, false]);
      problemOf(await (await requestsAs(gateway, "bob"))("get", "/users"), 403);
    });

    it("puts an account into several groups, and takes it out of each", async () => {
      const groupsOf = async (): Promise<unknown> => (await captain("get", "/users/bob")).body.user_group;
      await captain("patch", "/users/bob", { user_group: ["Crew", "guest", "crew"] }).expect(303);
      assert.deepEqual(await groupsOf(), ["crew", "guest"]);
      assert.deepEqual([await isMember("bob", "crew"), await isMember("bob", "guest")], [true, true]);
      assert.match(
        problemOf(await captain("patch", "/users/guest", { user_group: ["crew", "bob"] }), 409),
        /"bob" is a member of "guest" itself/,
      );
      assert.match(problemOf(await captain("delete", "/users/guest"), 409), /the group of others/);
      assert.match(
        problemOf(await captain("patch", "/users/bob", { user_group: ["crew", "nobody"] }), 400),
        /"nobody" is no/,
      );
      assert.deepEqual(await groupsOf(), ["crew", "guest"]);
      const { rows } = await gateway.database.client.query(
        "select details -> 'after' -> 'user_group' as groups from portolan.audit where account = 'bob' order by at desc limit 1",
      );
      assert.deepEqual(rows, [{ groups: ["crew", "guest"] }]);
      await captain("patch", "/users/bob", { user_group: ["guest"] }).expect(303);
      assert.deepEqual([await groupsOf(), await isMember("bob", "crew")], ["guest", false]);
      await captain("patch", "/users/bob", { user_group: [] }).expect(303);
      assert.deepEqual([await groupsOf(), await isMember("bob", "guest")], [null, false]);
      await captain("patch", "/users/bob", { user_group: "crew" }).expect(303);
      await captain("post", "/users", { name: "both", user_group: ["crew", "guest"] }).expect(201);
      assert.deepEqual([await isMember("both", "crew"), await isMember("both", "guest")], [true, true]);
      await captain("delete", "/users/both").expect(204);
    });

    it("changes several, all or none", async () => {
      const { headers, body } = await captain("patch", "/users/alice,bob", { properties: { ship: "Fram" } }).expect(
        303,
      );
      assert.equal(headers["location"], "/api/v4/users/alice,bob");
      assert.equal(body.length, 2);
      problemOf(await captain("patch", "/users/alice,nobody", { properties: {} }), 404);
      assert.deepEqual((await captain("get", "/users/alice")).body.properties, { ship: "Fram" });
    });

    it("cannot make a circle of groups, a group of itself, or an unknown group", async () => {
      assert.match(
        problemOf(await captain("patch", "/users/crew", { user_group: "bob" }), 409),
        /"bob" is a member of "crew"/,
      );
      assert.match(problemOf(await captain("patch", "/users/crew", { user_group: "crew" }), 400), /its own group/);
      for (const group of ["nobody", "anonymous", "owner"])
        assert.match(problemOf(await captain("patch", "/users/crew", { user_group: group }), 400), /is not an account/);
      assert.equal((await captain("get", "/users/crew")).body.user_group, null);
    });

    it("cannot lock itself out: neither by removing itself nor as the last super user", async () => {
      assert.match(problemOf(await captain("delete", "/users/captain"), 409), /cannot remove itself/);
      assert.match(problemOf(await captain("patch", "/users/captain", { superuser: false }), 409), /last super user/);
      await captain("get", "/users").expect(200);
    });

    it("cannot give anonymous a password, a group or power", async () => {
      for (const change of [{ password: "x" }, { user_group: "guest" }, { superuser: true }])
        problemOf(await captain("patch", "/users/anonymous", change), 400);
      problemOf(await captain("delete", "/users/anonymous"), 400);
    });

    it("does not change a role that Portolan did not make", async () => {
      await query(`create role "team@${gateway.database.name}"; `);
      await query("select portolan.adopt_role('team', $1)", [`team@${gateway.database.name}`]);
      problemOf(await captain("patch", "/users/team", { superuser: true }), 400);
      await captain("patch", "/users/team", { email: "team@example.org" }).expect(303);
      await captain("delete", "/users/team").expect(204);
      await query(`drop role "team@${gateway.database.name}"`);
    });

    it("removes several, all or none; a group or an unknown name refuses all", async () => {
      await captain("post", "/users", [{ name: "x1" }, { name: "x2" }]).expect(201);
      problemOf(await captain("delete", "/users/x1,x3,x2"), 404);
      assert.match(problemOf(await captain("delete", "/users/x1,crew"), 409), /group of others/);
      assert.ok((await names()).includes("x1"));
      const { text } = await captain("delete", "/users/x1,x2").expect(204);
      assert.equal(text, "");
      assert.ok(!(await names()).some((name) => name.startsWith("x")));
      assert.deepEqual(await query("select from pg_roles where rolname ~ ('^x\\d@' || current_database())"), []);
      problemOf(await captain("delete", "/users/x1"), 404);
    });
  });

  describe("an account", () => {
    let erik: Requests;
    before(async () => {
      await captain("post", "/users", { name: "erik", password: "old", properties: { town: "Bergen" } }).expect(201);
      erik = await requestsAs(gateway, "erik");
    });

    it("reads itself and nobody else, existing or not", async () => {
      assert.deepEqual((await erik("get", "/users/erik").expect(200)).body, {
        name: "erik",
        email: null,
        user_group: null,
        properties: { town: "Bergen" },
        superuser: false,
        default_user: false,
        email_verified: false,
        two_factor: false,
        allow_signup: null,
        social_signup: null,
        last_sign_in: null,
        locked_until: null,
      });
      for (const path of ["/users", "/users/captain", "/users/erik,captain", "/users/nobody"]) {
        const text = problemOf(await erik("get", path), 403);
        assert.equal(text, "an account may only see itself");
      }
    });

    it("cannot make or remove accounts, not even itself", async () => {
      const before = await names();
      problemOf(await erik("post", "/users", { name: "mallory", password: "x", superuser: true }), 403);
      for (const name of ["captain", "erik", "nobody"]) problemOf(await erik("delete", `/users/${name}`), 403);
      assert.deepEqual(await names(), before);
    });

    it("cannot raise its own properties, user_group or superuser, alone or beside what it may change", async () => {
      for (const change of [
        { properties: { town: "Oslo" } },
        { properties: {} },
        { user_group: "captain" },
        { user_group: null },
        { superuser: true },
        { superuser: false },
        { email: "erik@example.org", superuser: true },
        { password: "new", current_password: "old", user_group: "captain" },
      ])
        problemOf(await erik("patch", "/users/erik", change), 403);
      assert.deepEqual((await erik("get", "/users/erik")).body, {
        name: "erik",
        email: null,
        user_group: null,
        properties: { town: "Bergen" },
        superuser: false,
        default_user: false,
        email_verified: false,
        two_factor: false,
        allow_signup: null,
        social_signup: null,
        last_sign_in: null,
        locked_until: null,
      });
      assert.equal(await isMember("erik", "owner"), false);
    });

    it("changes its own email, and nobody else's", async () => {
      await erik("patch", "/users/ERIK", { email: "erik@example.org", current_password: "old" }).expect(303);
      assert.equal((await erik("get", "/users/erik")).body.email, "erik@example.org");
      for (const name of ["captain", "guest", "nobody", "erik,guest"])
        problemOf(await erik("patch", `/users/${name}`, { email: "x@example.org", current_password: "old" }), 403);
      assert.deepEqual(await query("select name from portolan.users where email = 'x@example.org'"), []);
    });

    it("changes its password with the current one only; its tokens end", async () => {
      const hash = await storedHash("erik");
      assert.match(problemOf(await erik("patch", "/users/erik", { password: "new" }), 400), /current_password/);
      for (const current of ["wrong", "", "old ", hash])
        assert.equal(
          problemOf(await erik("patch", "/users/erik", { password: "new", current_password: current }), 403),
          "current_password is wrong",
        );
      problemOf(await erik("patch", "/users/captain", { password: "new", current_password: "old" }), 403);
      problemOf(await erik("patch", "/users/captain,erik", { password: "new", current_password: "old" }), 403);
      assert.equal(await storedHash("erik"), hash);
      await erik("patch", "/users/erik", { password: "new", current_password: "old" }).expect(303);
      assert.equal(await verifyPassword("new", await storedHash("erik")), true);
      await refused(erik, "/users/erik");
      await (await requestsAs(gateway, "erik"))("get", "/users/erik").expect(200);
    });

    it("changes a password that SQL has hashed with bcrypt", async () => {
      await query("select portolan.create_user('sqlmade', 'from sql')");
      assert.match((await storedHash("sqlmade")) ?? "", /^\$2a\$/);
      const requests = await requestsAs(gateway, "sqlmade");
      const change = (current: string) =>
        requests("patch", "/users/sqlmade", { password: "mine", current_password: current });
      problemOf(await change("wrong"), 403);
      await change("from sql").expect(303);
      assert.equal(await verifyPassword("mine", await storedHash("sqlmade")), true);
    });

    it("cannot guess its password with a token: 429 with Retry-After, also for the right one", async () => {
      await captain("post", "/users", { name: "stolen", password: "right" }).expect(201);
      const requests = await requestsAs(gateway, "stolen");
      const change = (current: string) =>
        requests("patch", "/users/stolen", { password: "mine", current_password: current }).set(
          "X-Forwarded-For",
          "192.0.2.66",
        );
      for (let n = 0; n < 10; n++) problemOf(await change("wrong"), 403);
      const statuses = [];
      for (let n = 0; n < 4; n++) statuses.push((await change("wrong")).status);
      assert.ok(statuses.includes(429), statuses.join());
      const { headers, body } = await change("right");
      assert.equal(body.code, "RATE_LIMITED");
      assert.ok(Number(headers["retry-after"]) > 0);
      assert.equal(await verifyPassword("right", await storedHash("stolen")), true);
    });

    it("of two changes with the same current password one succeeds", async () => {
      const requests = await requestsAs(gateway, "erik");
      const statuses = await Promise.all(
        ["one", "two"].map(
          async (password) => (await requests("patch", "/users/erik", { password, current_password: "new" })).status,
        ),
      );
      const [made, refused] = statuses.toSorted();
      assert.equal(made, 303);
      // 401: the first request ended before the other one's token was checked, which the new password had made invalid
      assert.ok(refused === 403 || refused === 401, statuses.join());
    });

    it("cannot do it in SQL either, nor block those who may", async () => {
      const { client, name } = gateway.database;
      for (const statement of [
        `select portolan.change_own_account('erik', '{"email": "x"}')`,
        `select portolan.change_account('erik', '{"superuser": true}')`,
        `select portolan.update_user('erik', '{"superuser": true}')`,
        "select portolan.list_users()",
        "select portolan.move_roles(null, null)",
        "select portolan.relation_of('world', 'cities')",
        "select portolan.privileges_of('world.cities')",
        "select portolan.authentication_of('world.cities')",
        "select portolan.one_at_a_time()",
        "lock table portolan.migrations in share mode",
        "lock table portolan.users in row share mode",
      ]) {
        await client.query("begin");
        try {
          await client.query(`set local role "erik@${name}"`);
          await assert.rejects(client.query(statement), { code: "42501" }, statement);
        } finally {
          await client.query("rollback");
        }
      }
    });

    it("that is removed, or whose password a super user changed, is signed out within 5 s", async () => {
      await captain("post", "/users", [
        { name: "leaver", password: "x" },
        { name: "changer", password: "x" },
      ]).expect(201);
      const [leaver, changer] = [await requestsAs(gateway, "leaver"), await requestsAs(gateway, "changer")];
      await leaver("get", "/users/leaver").expect(200);
      await changer("get", "/users/changer").expect(200);
      await captain("delete", "/users/leaver").expect(204);
      await captain("patch", "/users/changer", { password: "y" }).expect(303);
      await refused(leaver, "/users/leaver");
      await refused(changer, "/users/changer");
    });
  });

  describe("bad input", () => {
    const BAD: [what: string, body: unknown, fault: RegExp][] = [
      ["no name", { password: "x" }, /^name: is missing$/],
      [
        "every fault at once",
        { name: 5, password: 1, email: "x", colour: "red", superuser: "yes" },
        /^(?=.*name: )(?=.*password: )(?=.*email: )(?=.*colour: is not a member here)(?=.*superuser: )/,
      ],
      ["a bad name", { name: "1st" }, /^name: must be 1 to 40/],
      ["a long name", { name: "x".repeat(41) }, /^name: /],
      ["an empty name", { name: "" }, /^name: /],
      ["null as name", { name: null }, /^name: /],
      ["an empty password", { name: "bad", password: "" }, /^password: must not be empty$/],
      ["a long password", { name: "bad", password: "é".repeat(513) }, /^password: must be 1024 bytes or less$/],
      ["a password as number", { name: "bad", password: 12345678 }, /^password: expected string/],
      ["a bad address", { name: "bad", email: "no address" }, /^email: /],
      [
        "a group as number",
        { name: "bad", user_group: 5 },
        /^user_group: must be the name of an account, or a list of names/,
      ],
      ["properties as list", { name: "bad", properties: [] }, /^properties: /],
      ["properties as text", { name: "bad", properties: "{}" }, /^properties: /],
      ["superuser as number", { name: "bad", superuser: 1 }, /^superuser: /],
      ["role", { name: "bad", role: "postgres" }, /^role: is not a member here$/],
      ["token_version", { name: "bad", token_version: 0 }, /^token_version: is not a member here$/],
      ["no object", "bad", /expected object/],
      ["null", null, /expected object/],
      ["an empty list", [], /./],
      ["a list of lists", [[{ name: "bad" }]], /^0: expected object/],
      ["the second of two", [{ name: "bad" }, { name: "bad2", x: 1 }], /^1\/x: is not a member here$/],
      ["1001 accounts", Array.from({ length: 1001 }, (_, n) => ({ name: `bad${n}` })), /1000/],
    ];
    for (const [what, body, fault] of BAD)
      it(`${what} is 400 and names it`, async () => {
        const response = await captain("post", "/users").type("json").send(JSON.stringify(body));
        assert.match(problemOf(response, 400), fault);
        assert.ok(response.body.errors.length > 0);
        assert.ok(!(await names()).some((name) => name.startsWith("bad")));
      });

    it("a reserved name is 400", async () => {
      for (const name of ["owner", "anonymous", "ANONYMOUS"])
        assert.match(problemOf(await captain("post", "/users", { name }), 400), /reserved/);
    });

    it("a change names its faults too; a name cannot be changed", async () => {
      const response = await captain("patch", "/users/alice", { name: "bob", superuser: null, user_group: "no one" });
      assert.match(problemOf(response, 400), /^(?=.*name: is not a member here)(?=.*superuser: )(?=.*user_group: )/);
      assert.deepEqual(response.body.errors.map(({ pointer }: { pointer: string }) => pointer).toSorted(), [
        "/name",
        "/superuser",
        "/user_group",
      ]);
    });

    it("a body that is not JSON, empty, of another type or too large is refused", async () => {
      const post = () => captain("post", "/users");
      assert.equal(problemOf(await post().type("json").send('{"name":'), 400), "The request body is not valid JSON");
      assert.equal(problemOf(await post().type("json"), 400), "The request has no body");
      problemOf(await post().type("form").send("name=bad"), 415);
      problemOf(await post().type("text/plain").send('{"name":"bad"}'), 415);
      problemOf(await post(), 415);
      problemOf(await post().type("application/json; charset=utf-16").send('{"name":"bad"}'), 415);
      problemOf(
        await post()
          .type("json")
          .send(`{"name":"bad","email":"${"x".repeat(1_000_000)}"}`),
        413,
      );
      for (const levels of [100, 1000, 100_000])
        problemOf(
          await post()
            .type("json")
            .send(`{"name":"bad","properties":{"a":${"[".repeat(levels)}${"]".repeat(levels)}}}`),
          400,
        );
      assert.ok(!(await names()).includes("bad"));
    });

    it("a string stays a string, in any member", async () => {
      const before = await names();
      for (const text of INJECTIONS) {
        problemOf(await captain("post", "/users", { name: text }), 400);
        problemOf(await captain("post", "/users", { name: "bad", user_group: text }), 400);
        problemOf(await captain("post", "/users", { name: "bad", [text]: 1 }), 400);
        const made = await captain("post", "/users", { name: "inj", password: text, properties: { [text]: text } });
        if (text.includes("\0")) {
          problemOf(made, 400); // PostgreSQL has no such character
          continue;
        }
        assert.equal(made.status, 201, text);
        assert.deepEqual((await captain("get", "/users/inj").expect(200)).body.properties, { [text]: text });
        assert.equal(await verifyPassword(text, await storedHash("inj")), true);
        await (await requestsAs(gateway, "inj"))("get", "/users/inj").expect(200);
        await captain("patch", "/users/inj", { properties: { a: { b: text } } }).expect(303);
        assert.deepEqual((await captain("get", "/users/inj")).body.properties, { a: { b: text } });
        await captain("delete", "/users/inj").expect(204);
      }
      assert.deepEqual(await names(), before);
    });

    it("and in the path: a text that cannot be a name is 404", async () => {
      const before = await names();
      for (const text of [...INJECTIONS, "a b", "ünï", "alice,", ",", "alice,,bob", "x".repeat(5000)])
        for (const method of ["get", "patch", "delete"] as const) {
          const path = `/users/${encodeURIComponent(text)}`;
          problemOf(await captain(method, path, method === "patch" ? {} : undefined), 404);
        }
      problemOf(await captain("get", "/users/%"), 400);
      problemOf(await captain("get", "/users/%ff"), 400);
      assert.deepEqual(await names(), before);
    });

    it("an integer may be written with a point or an exponent, as JSON allows", async () => {
      for (const [written, number] of [
        ["1.0", 1],
        ["1e3", 1000],
        ["1E+3", 1000],
        ["-20.00e-1", -2],
        ["100e-2", 1],
      ] as const) {
        const made = await captain("post", "/rules")
          .type("json")
          .send(`{"username":"*","service":"ogc","request":"delete","access":"deny","priority":${written}}`)
          .expect(201);
        const path = (made.headers["location"] as string).replace("/api/v4", "");
        assert.equal((await captain("get", path).expect(200)).body.priority, number);
        await captain("delete", path).expect(204);
      }
      for (const written of ["1.5", "1e400", "12345678901234567890"])
        await captain("post", "/rules").type("json").send(`{"access":"deny","priority":${written}}`).expect(400);
      for (const written of ["1e3", "1000.0"]) {
        const method = `{"method":"numbered","q":"select :n::int as n","timeout_ms":${written}}`;
        await captain("post", "/methods").type("json").send(method).expect(201);
        assert.equal((await captain("get", "/methods/numbered").expect(200)).body.timeout_ms, 1000);
        await captain("delete", "/methods/numbered").expect(204);
        const sql = `{"q":"select :n::int as n","params":{"n":${written}}}`;
        assert.deepEqual((await captain("post", "/sql").type("json").send(sql).expect(200)).body.data, [{ n: 1000 }]);
      }
    });

    it("a rule that matches nothing yet gets a note, each of a list separately", async () => {
      const { body } = await captain("post", "/rules")
        .send([
          { username: "nobo*", schema: "world", table: "lighthouse*", access: "deny" },
          { username: "gue?t", schema: "world", table: "citi*", access: "allow" },
        ])
        .expect(201);
      assert.deepEqual(
        body.map(({ notes }: { notes?: string[] }) => notes),
        [['no account matches "nobo*" yet', "no table matches it yet"], undefined],
      );
      await captain("delete", `/rules/${body.map(({ id }: { id: number }) => id).join(",")}`).expect(204);
    });

    it("numbers keep every digit", async () => {
      const properties = '{"big":12345678901234567890,"exact":0.1000000000000000055}';
      await captain("post", "/users").type("json").send(`{"name":"digits","properties":${properties}}`).expect(201);
      assert.ok((await captain("get", "/users/digits").expect(200)).text.includes(properties));
      await captain("delete", "/users/digits").expect(204);
    });
  });

  describe("races", () => {
    it("of two creates of one name one is 201 and one 409", async () => {
      for (let round = 0; round < 5; round++) {
        const made = await Promise.all(
          [1, 2, 3].map(() => captain("post", "/users", { name: `racer${round}`, password: "x" })),
        );
        assert.deepEqual(made.map(({ status }) => status).toSorted(), [201, 409, 409]);
        const gone = await Promise.all([1, 2].map(() => captain("delete", `/users/racer${round}`)));
        assert.deepEqual(gone.map(({ status }) => status).toSorted(), [204, 404]);
      }
    });

    it("arrays in opposite order do not block each other", async () => {
      const statuses = await Promise.all(
        [["ra", "rb"], ["rb", "ra"], ["ra"], ["rb"]].map(
          async (group) =>
            (
              await captain(
                "post",
                "/users",
                group.map((name) => ({ name })),
              )
            ).status,
        ),
      );
      assert.ok(
        statuses.every((status) => status === 201 || status === 409),
        statuses.join(),
      );
      assert.ok(statuses.includes(201));
    });

    it("groups and memberships that change at the same time all succeed", async () => {
      const changes = Array.from({ length: 12 }, (_, n) =>
        captain("patch", "/users/alice,bob", { user_group: ["guest", "crew", null][n % 3] }),
      );
      for (const { status, text } of await Promise.all(changes)) assert.equal(status, 303, text);
    });
  });

  it("without a token is 401 with WWW-Authenticate, whatever is asked", async () => {
    const before = await names();
    for (const [method, path, body] of [
      ["get", "/users"],
      ["get", "/users/captain"],
      ["post", "/users", { name: "x" }],
      ["post", "/users", "garbage"],
      ["patch", "/users/captain", { superuser: false }],
      ["delete", "/users/guest"],
    ] as const) {
      const response = await gateway.http[method](`/api/v4${path}`).send(body);
      problemOf(response, 401);
      assert.match(response.headers["www-authenticate"] ?? "", /^Bearer/);
    }
    assert.deepEqual(await names(), before);
  });

  it("HEAD is a GET without body, OPTIONS and 405 list the methods", async () => {
    const head = await captain("head", "/users/guest").expect(200);
    assert.equal(head.text, undefined);
    assert.ok(Number(head.headers["content-length"]) > 0);
    assert.equal((await captain("put", "/users", {}).expect(405)).headers["allow"], "GET, HEAD, POST, OPTIONS");
    const { headers } = await captain("post", "/users/guest", {}).expect(405);
    assert.equal(headers["allow"], "GET, HEAD, PATCH, DELETE, OPTIONS");
    assert.match(problemOf(await captain("get", "/userz"), 404), /Nothing is at/);
    problemOf(await guest("get", "/users/"), 403);
  });
});
