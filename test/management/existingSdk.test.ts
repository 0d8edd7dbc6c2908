/** The requests of the SDK that customers use, as it sends them, and the members of the answers that it reads. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { testGateway, type TestGateway } from "../support/gateway.ts";

describe("the existing SDK", () => {
  let gateway: TestGateway;
  let authorization: string;

  before(async () => {
    gateway = await testGateway();
    authorization = `Bearer ${await gateway.token("captain")}`;
  });
  after(() => gateway.close());

  const rest = (method: "get" | "post" | "patch" | "delete", path: string) =>
    gateway.http[method](`/api/v4/${path}`).set("Authorization", authorization);
  const oauth = (body: object) => gateway.http.post("/api/v4/oauth").send(body);

  it("postClient of one client reads `secret` of one object; of a list there is a list", async () => {
    const options = { two_factor: true, allow_signup: true, social_signup: false };
    const one = await rest("post", "clients")
      .send({ id: "sdk", name: "SDK", redirect_uri: ["https://example.org/callback"], ...options })
      .expect(201);
    assert.match(one.body.secret, /^\S{20,}$/);
    assert.deepEqual(one.body._links, { self: "/api/v4/clients/sdk" });
    assert.equal(one.headers["location"], "/api/v4/clients/sdk");
    assert.deepEqual(
      one.body.notes,
      Object.keys(options).map((name) => `${name} has no meaning here and was ignored`),
    );
    const list = await rest("post", "clients")
      .send([{ id: "sdk2", name: "SDK", public: true }])
      .expect(201);
    assert.deepEqual(list.body, [{ _links: { self: "/api/v4/clients/sdk2" } }]);
    const changed = await rest("patch", "clients/sdk").send({ name: "SDK 2", two_factor: false }).expect(303);
    assert.deepEqual(changed.body[0].notes, ["two_factor has no meaning here and was ignored"]);
    const { body } = await rest("get", "clients/sdk").expect(200);
    assert.deepEqual([body.name, body.refresh_reuse], ["SDK 2", "refuse"]);
    await rest("post", "clients").send({ id: "sdk3", name: "SDK", three_factor: true }).expect(400);
    await rest("post", "clients").send({ id: "sdk3", name: "SDK", base64: true }).expect(400);
  });

  it("a client with refresh_reuse allow keeps its first refresh token; another word is 400", async () => {
    const member = { name: "Reuse", public: true, grants: ["password", "refresh_token"] };
    await rest("post", "clients")
      .send({ id: "reuse", ...member, refresh_reuse: "perhaps" })
      .expect(400);
    await rest("post", "clients")
      .send({ id: "reuse", ...member, refresh_reuse: "allow" })
      .expect(201);
    assert.equal((await rest("get", "clients/reuse")).body.refresh_reuse, "allow");
    await rest("patch", "clients/reuse").send({ refresh_reuse: "refuse" }).expect(303);
    assert.equal((await rest("get", "clients/reuse")).body.refresh_reuse, "refuse");
  });

  it("gc2-cli signs in by password, and its session outlives three refreshes with the first refresh token", async () => {
    const client = { client_id: "gc2-cli" };
    const { body } = await oauth({
      ...client,
      grant_type: "password",
      username: "guest",
      password: "guest",
      database: gateway.database.name,
    }).expect(200);
    for (let times = 0; times < 3; times++) {
      const refreshed = await oauth({ ...client, grant_type: "refresh_token", refresh_token: body.refresh_token });
      assert.equal(refreshed.status, 200, refreshed.text);
      await gateway.database.client.query(
        "update portolan.refresh_tokens set rotated_at = rotated_at - interval '31 seconds'",
      );
      await gateway.http
        .get("/api/v4/users/guest")
        .set("Authorization", `Bearer ${refreshed.body.access_token}`)
        .expect(200);
    }
  });

  it("patchUser with password null keeps the password; default_user has its effect", async () => {
    const made = await rest("post", "users")
      .send({ name: "sdkuser", email: "a@example.org", password: "first", default_user: true })
      .expect(201);
    assert.deepEqual(made.body, [{ _links: { self: "/api/v4/users/sdkuser" } }]);
    await rest("patch", "users/sdkuser")
      .send({ email: "b@example.org", password: null, default_user: false })
      .expect(303);
    assert.equal((await rest("get", "users/sdkuser")).body.email, "b@example.org");
    await oauth({ client_id: "gc2-cli", grant_type: "password", username: "sdkuser", password: "first" }).expect(200);
  });

  it("postRule answers the id", async () => {
    const { body } = await rest("post", "rules").send({ access: "allow", username: "sdkuser" }).expect(201);
    assert.equal(body._links.self, `/api/v4/rules/${body.id}`);
    assert.equal((await rest("get", `rules/${body.id}`)).body.id, body.id);
  });

  it("base64 and convert_types are noted beside schema and data, and of methods beside _links; others are 400", async () => {
    const options = { base64: false, convert_types: true };
    const notes = Object.keys(options).map((name) => `${name} has no meaning here and was ignored`);
    const { body } = await rest("post", "sql")
      .send({ q: "select 1 as a", ...options })
      .expect(200);
    assert.deepEqual([body.data, body.notes], [[{ a: 1 }], notes]);
    await rest("post", "sql").send({ q: "select 1 as a", base65: true }).expect(400);
    const made = await rest("post", "methods")
      .send({ method: "sdkMethod", q: "select 1 as a", convert_types: true })
      .expect(201);
    assert.deepEqual(made.body[0].notes, notes.slice(1));
    const changed = await rest("patch", "methods/sdkMethod").send({ q: "select 2 as a", base64: true }).expect(303);
    assert.deepEqual(changed.body[0].notes, notes.slice(0, 1));
    for (const path of ["call", "call/dry"]) {
      const called = await rest("post", path).send({ jsonrpc: "2.0", method: "sdkMethod", id: 1, ...options });
      assert.deepEqual([called.body.result.data, called.body.result.notes], [[{ a: 2 }], notes]);
    }
  });

  it("paths and polygons are accepted as lists, in SQL and in GraphQL", async () => {
    const points = [
      { x: 1, y: 2 },
      { x: 3, y: 4 },
    ];
    const ask = (q: string, params: object) => rest("post", "sql").send({ q, params });
    for (const [q, p, expected] of [
      ["select (:p::path)::text as v", [true, ...points], "((1,2),(3,4))"],
      ["select (:p::path)::text as v", [false, ...points], "[(1,2),(3,4)]"],
      ["select (:p::polygon)::text as v", points, "((1,2),(3,4))"],
      [
        "select (:p::path[])::text as v",
        [
          [true, ...points],
          [false, ...points],
        ],
        '{"((1,2),(3,4))","[(1,2),(3,4)]"}',
      ],
      ["select (:p::polygon[])::text as v", [points], '{"((1,2),(3,4))"}'],
    ] as const) {
      const answer = await ask(q, { p });
      assert.equal(answer.status, 200, answer.text);
      assert.equal(answer.body.data[0].v, expected);
    }
    for (const p of [[], ["x", ...points], [true], [true, 5]])
      assert.equal((await ask("select (:p::path)::text as v", { p })).status, 400, JSON.stringify(p));
    await gateway.database.client.query("create table world.shapes (id int primary key, p path, g polygon)");
    await gateway.database.client.query("select portolan.set_privilege('world.shapes', 'guest', 'write')");
    for (;;) {
      const { body } = await gateway.graphql(
        "guest",
        "world",
        `mutation ($p: JSON) { insertShapes(data: $p) { p { closed points { x } } g { points { y } } } }`,
        { p: { id: 1, p: [true, ...points], g: points } },
      );
      if (/Cannot query|Unknown/.test(JSON.stringify(body.errors ?? ""))) continue; // the schema is being built
      const expected = { p: { closed: true, points: [{ x: 1 }, { x: 3 }] }, g: { points: [{ y: 2 }, { y: 4 }] } };
      assert.deepEqual(body, { data: { insertShapes: [expected] } });
      break;
    }
  });

  it("its calls beyond this service are refused as docs/compatibility.md says", async () => {
    const ships = "schemas/world/tables/ships";
    const columns = [{ name: "id", type: "integer" }];
    await rest("post", "schemas/world/tables")
      .send({ name: "ships", columns, key: ["id"] })
      .expect(201);
    const calls: readonly (readonly [
      name: string,
      ...Parameters<typeof rest>,
      body: object | undefined,
      status: number,
    ])[] = [
      ["getSchema", "get", "schemas/world", undefined, 404],
      ["postSchema", "post", "schemas", { name: "harbour" }, 405],
      ["patchSchema", "patch", "schemas/world", { name: "earth" }, 404],
      ["deleteSchema", "delete", "schemas/world", undefined, 404],
      ["getColumn", "get", `${ships}/columns`, undefined, 405],
      ["postColumn", "post", `${ships}/columns`, { name: "a", type: "text", is_nullable: false }, 400],
      ["postConstraint", "post", `${ships}/constraints`, { constraint: "primary", columns: ["id"] }, 400],
      ["getConstraint", "get", `${ships}/constraints/ships_pkey`, undefined, 405],
      ["getIndex", "get", `${ships}/indices/ships_pkey`, undefined, 405],
      ["patchTable", "patch", ships, { name: "vessels" }, 200],
      ["deleteTable", "delete", "schemas/world/tables/vessels", undefined, 200],
      ["getSequence", "get", "schemas/world/sequences", undefined, 404],
      ["query", "get", "meta/world.cities", undefined, 404],
      ["patchMetaData", "patch", "meta", {}, 404],
      ["get", "get", "stats", undefined, 404],
      ["postFileUpload", "post", "file/upload", {}, 404],
      ["postFileProcess", "post", "file/process", {}, 404],
      ["postCommit", "post", "commit", {}, 404],
    ];
    const page = readFileSync(join(import.meta.dirname, "../../docs/compatibility.md"), "utf8");
    const seen: unknown[] = [];
    for (const [name, method, path, body] of calls) {
      const request = rest(method, path);
      seen.push([name, (await (body ? request.send(body) : request)).status, page.includes(`\`${name}`)]);
    }
    assert.deepEqual(
      seen,
      calls.map(([name, , , , status]) => [name, status, true]),
    );
  });
});
