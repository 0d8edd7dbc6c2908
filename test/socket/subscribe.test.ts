import assert from "node:assert/strict";
import { until } from "../support/events.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { connectAs, type Received, type SocketClient } from "../support/webSocket.ts";

describe("socket: subscribe", () => {
  let gateway: TestGateway;
  const query = (text: string, values: unknown[] = []) => gateway.database.client.query(text, values);

  before(async () => {
    gateway = await testGateway({
      prepare: async ({ client, name }) => {
        await client.query(
          `
create schema port;
create table port.harbours (id int primary key, name text not null, depth numeric, secret text, at timestamptz, place public.geometry(Point, 25832));
create table port.ships (
  id bigint primary key, name text, harbour_id int references port.harbours, tags text[], info jsonb, afloat boolean,
  speed float8, built date);
create table port.quiet (id int primary key);
create type port.state as enum ('planned', 'built', 'sunk');
create table port.wrecks (id int primary key, state port.state);
create view port.seen as select * from port.ships;
create table port.owned (id int primary key, owner text);
alter table port.owned enable row level security;
create policy own on port.owned using (owner = (portolan.request_context()).user_name);
grant usage on schema port to "guest@${name}";
grant select on port.ships, port.owned, port.quiet, port.wrecks to "guest@${name}";
grant select (id, name, depth, at, place), update (name) on port.harbours to "guest@${name}";
insert into port.harbours values (1, 'Kiel', 9.5, 'x', '2024-01-02 03:04:05+01', 'SRID=25832;POINT(573000 6020000)');
select portolan.enable_events('port.harbours'), portolan.enable_events('port.ships'), portolan.enable_events('port.owned'), portolan.enable_events('port.wrecks');`.replace(
            "(portolan.request_context()).user_name",
            "(portolan.request_context()).name",
          ),
        );
      },
    });
  });
  after(() => gateway.close());

  let id = 0;
  /** Subscribes and waits until it is live. */
  async function subscribe(socket: SocketClient, text: string, more: object = {}): Promise<string> {
    const own = `s${++id}`;
    const answer = await socket.ask({ type: "subscribe", id: own, schema: "port", query: text, ...more });
    assert.deepEqual(answer, { type: "subscribe_ack", id: own });
    return own;
  }
  async function refused(socket: SocketClient, text: string, more: object = {}): Promise<Received> {
    const own = `s${++id}`;
    const answer = await socket.ask({ type: "subscribe", id: own, schema: "port", query: text, ...more });
    assert.equal(answer.type, "error", JSON.stringify(answer));
    return answer;
  }
  const dataOf = async (socket: SocketClient, own: string): Promise<unknown> =>
    (await socket.take({ type: "subscription", id: own }))["data"];

  it("delivers inserts, updates and deletes, each to its own field", async () => {
    const socket = await connectAs(gateway, "captain");
    const [added, updated, deleted] = await Promise.all(
      ["Added", "Updated", "Deleted"].map((what) =>
        subscribe(socket, `subscription { ShipsMessage${what} { id name } }`),
      ),
    );
    await query("insert into port.ships (id, name) values (1, 'Swan'), (2, 'Gull')");
    await query("update port.ships set name = name || '!' where id = 2");
    await query("delete from port.ships where id = 1");
    assert.deepEqual(await dataOf(socket, added!), {
      ShipsMessageAdded: [
        { id: "1", name: "Swan" },
        { id: "2", name: "Gull" },
      ],
    });
    assert.deepEqual(await dataOf(socket, updated!), { ShipsMessageUpdated: [{ id: "2", name: "Gull!" }] });
    assert.deepEqual(await dataOf(socket, deleted!), { ShipsMessageDeleted: [{ id: "1", name: "Swan" }] });
    await query("delete from port.ships");
    socket.close();
  });

  it("a message has position, and only the selected fields", async () => {
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(socket, "subscription { ShipsMessageAdded { name } }");
    await query("insert into port.ships (id, name) values (3, 'Tern')");
    const { position, ...message } = await socket.take({ id: own });
    assert.deepEqual(message, { type: "subscription", id: own, data: { ShipsMessageAdded: [{ name: "Tern" }] } });
    assert.match(position as string, /^[0-9a-f]+-[0-9a-z]+-[0-9a-z]+$/);
    await query("delete from port.ships");
    socket.close();
  });

  it("values equal those of a query, plain ones and those that PostgreSQL computes", async () => {
    const socket = await connectAs(gateway, "captain");
    const plain = "id name info afloat speed built harbour_id __typename";
    const first = await subscribe(socket, `subscription { ShipsMessageAdded { ${plain} } }`);
    const second = await subscribe(socket, `subscription { ShipsMessageAdded { ${plain} tags } }`);
    const found = await subscribe(socket, `subscription { ShipsMessageAdded { info(path: "$.deep[*].a") } }`);
    await query(
      `insert into port.ships values (9007199254740993, 'a "b" \\ c' || chr(10), 1, '{"x,y", null}', '{"deep": [1, {"a": null}]}', true, 1e300, '2024-02-29')`,
    );
    await query("insert into port.ships values (5, null, null, null, '\"text\"', false, 'NaN', 'infinity')");
    for (const key of ["9007199254740993", "5"]) {
      const { body } = await gateway.graphql("captain", "port", `{ getShips(id: "${key}") { ${plain} tags } }`);
      const [row] = body.data.getShips;
      const { tags, ...rest } = row;
      assert.deepEqual(await dataOf(socket, first), { ShipsMessageAdded: [rest] });
      assert.deepEqual(await dataOf(socket, second), { ShipsMessageAdded: [{ ...rest, tags }] });
    }
    for (const info of [[null], []]) assert.deepEqual(await dataOf(socket, found), { ShipsMessageAdded: [{ info }] });
    await query("delete from port.ships");
    socket.close();
  });

  it("geometry is GeoJSON and times have their zone, as in a query", async () => {
    const socket = await connectAs(gateway, "captain");
    const selection = "id depth at place";
    const own = await subscribe(socket, `subscription { HarboursMessageUpdated { ${selection} } }`);
    await query("update port.harbours set depth = 10.25 where id = 1");
    const { body } = await gateway.graphql("captain", "port", `{ getHarbours { ${selection} } }`);
    const { HarboursMessageUpdated } = (await dataOf(socket, own)) as Record<string, [{ at: string }]>;
    const [{ at, ...row }] = HarboursMessageUpdated!;
    const { at: asked, ...same } = body.data.getHarbours[0];
    assert.deepEqual(row, same);
    assert.equal(new Date(at).getTime(), new Date(asked).getTime());
    socket.close();
  });

  it("_version works as ifMatch of a write, and reveals nothing about columns that may not be selected", async () => {
    const socket = await connectAs(gateway, "guest");
    const own = await subscribe(socket, "subscription { HarboursMessageUpdated { _version } }");
    const next = async (change: string): Promise<string> => {
      await query(`update port.harbours set ${change} where id = 1`);
      const { HarboursMessageUpdated: rows } = (await dataOf(socket, own)) as Record<string, { _version: string }[]>;
      return rows![0]!._version;
    };
    const rename = async (ifMatch: string): Promise<unknown> => {
      const text = `mutation ($ifMatch: String) { updateHarbours(id: 1, ifMatch: $ifMatch, data: {name: "Kiel"}) { name } }`;
      return (await gateway.graphql("guest", "port", text, { ifMatch })).body;
    };
    const first = await next("depth = 10");
    assert.equal(await next("secret = 'y'"), first);
    const second = await next("depth = 9.5");
    const refusal = (await rename(first)) as { errors: { extensions: { code: string } }[] };
    assert.equal(refusal.errors[0]!.extensions.code, "CONFLICT");
    assert.deepEqual(await rename(second), { data: { updateHarbours: [{ name: "Kiel" }] } });
    await dataOf(socket, own);
    socket.close();
  });

  it("nested relations are read under the subscriber's rights", async () => {
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(
      socket,
      "subscription { ShipsMessageAdded { name harbours { name ships(limit: 5) { id } } } }",
    );
    await query("insert into port.ships (id, name, harbour_id) values (7, 'Teal', 1), (8, 'Duck', null)");
    assert.deepEqual(await dataOf(socket, own), {
      ShipsMessageAdded: [
        { name: "Teal", harbours: { name: "Kiel", ships: [{ id: "7" }] } },
        { name: "Duck", harbours: null },
      ],
    });
    await query("delete from port.ships");
    socket.close();

    const guest = await connectAs(gateway, "guest");
    const nested = "subscription { ShipsMessageAdded { name harbours { name secret } } }";
    assert.equal((await refused(guest, nested))["error"], "NOT_ALLOWED");
    const allowed = await subscribe(guest, "subscription { ShipsMessageAdded { name harbours { name } } }");
    await query("insert into port.ships (id, name, harbour_id) values (7, 'Teal', 1)");
    assert.deepEqual(await dataOf(guest, allowed), {
      ShipsMessageAdded: [{ name: "Teal", harbours: { name: "Kiel" } }],
    });
    await query("delete from port.ships");
    guest.close();
  });

  it("several root fields, aliases, fragments, variables and directives", async () => {
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(
      socket,
      `query unused { countShips }
      subscription both($least: Int!, $with: Boolean!) {
        fast: ShipsMessageAdded(where: { speed: { gte: $least } }) { ...ship }
        ... on Subscription { gone: ShipsMessageDeleted { number: id name @include(if: $with) } }
        ShipsMessageUpdated @skip(if: true) { id }
      }
      fragment ship on Ships { key: id ... { name @skip(if: $with) } }`,
      { variables: { least: 20, with: false }, operationName: "both" },
    );
    await query("insert into port.ships (id, name, speed) values (1, 'Swan', 10), (2, 'Gull', 30)");
    assert.deepEqual(await dataOf(socket, own), { fast: [{ key: "2", name: "Gull" }], gone: null });
    await query("update port.ships set name = 'x'; delete from port.ships where id = 1");
    assert.deepEqual(await dataOf(socket, own), { fast: null, gone: [{ number: "1" }] });
    await query("delete from port.ships");
    socket.close();
  });

  it("where is JSON, or text as in SQL", async () => {
    const socket = await connectAs(gateway, "captain");
    const all = await Promise.all(
      [
        `where: { AND: [{ name: { like: "S%" } }, { OR: [{ speed: { gt: 5 } }, { NOT: { afloat: true } }] }] }`,
        `where: "name like 'S%' and (speed > 5 or not afloat = true)"`,
        `where: "{\\"name\\": {\\"like\\": \\"S%\\"}, \\"id\\": {\\"in\\": [1, 2]}}"`,
      ].map((where) => subscribe(socket, `subscription { ShipsMessageAdded(${where}) { id } }`)),
    );
    await query(
      "insert into port.ships (id, name, speed, afloat) values (1, 'Swan', 10, true), (2, 'Snipe', 1, false), (3, 'Stork', 1, true), (4, 'Gull', 99, true)",
    );
    const ids = await Promise.all(all.map((own) => dataOf(socket, own)));
    const rows = [{ id: "1" }, { id: "2" }];
    assert.deepEqual(
      ids,
      [rows, rows, rows].map((ShipsMessageAdded) => ({ ShipsMessageAdded })),
    );
    await query("delete from port.ships");
    socket.close();
  });

  it("the order of an enum is that of its labels", async () => {
    const socket = await connectAs(gateway, "guest");
    const all = await Promise.all(
      [`where: "state > 'planned'"`, `where: { state: { lt: "sunk" } }`].map((where) =>
        subscribe(socket, `subscription { WrecksMessageAdded(${where}) { id } }`),
      ),
    );
    await query("insert into port.wrecks values (1, 'planned'), (2, 'built'), (3, 'sunk')");
    assert.deepEqual(await Promise.all(all.map((own) => dataOf(socket, own))), [
      { WrecksMessageAdded: [{ id: "2" }, { id: "3" }] },
      { WrecksMessageAdded: [{ id: "1" }, { id: "2" }] },
    ]);
    socket.close();
  });

  it("a query and a mutation are answered and complete", async () => {
    const socket = await connectAs(gateway, "captain");
    socket.send({ type: "subscribe", id: "q", schema: "port", query: "{ getHarbours { name } }" });
    assert.deepEqual(await socket.take({ id: "q" }), {
      type: "next",
      id: "q",
      data: { getHarbours: [{ name: "Kiel" }] },
    });
    assert.deepEqual(await socket.take({ id: "q" }), { type: "complete", id: "q" });
    const insert = `mutation ($data: JSON) { insertShips(data: $data) { id } }`;
    const variables = { data: { id: "11", name: "Coot" } };
    const own = await subscribe(socket, "subscription { ShipsMessageAdded { id } }");
    const { data } = await socket.ask({ type: "subscribe", id: "m", schema: "port", query: insert, variables });
    assert.deepEqual(data, { insertShips: [{ id: "11" }] });
    assert.deepEqual(await dataOf(socket, own), { ShipsMessageAdded: [{ id: "11" }] });
    await socket.take({ type: "complete", id: "m" });
    const failed = await socket.ask({ type: "subscribe", id: "m", schema: "port", query: insert, variables });
    assert.equal(failed.type, "next");
    assert.equal((failed["errors"] as [{ extensions: { code: string } }])[0].extensions.code, "CONFLICT");
    await query("delete from port.ships");
    socket.close();
  });

  it("unsubscribe ends it with complete, and frees the id", async () => {
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(socket, "subscription { ShipsMessageAdded { id } }");
    assert.deepEqual(await socket.ask({ type: "unsubscribe", id: own }), { type: "complete", id: own });
    await query("insert into port.ships (id) values (1)");
    const again = await socket.ask({
      type: "subscribe",
      id: own,
      schema: "port",
      query: "subscription { ShipsMessageDeleted { id } }",
    });
    assert.equal(again.type, "subscribe_ack");
    await query("delete from port.ships");
    assert.deepEqual(await dataOf(socket, own), { ShipsMessageDeleted: [{ id: "1" }] });
    assert.deepEqual(socket.received, []);
    socket.close();
  });

  it("after resumes: missed events come first, whatever was deleted since", async () => {
    const socket = await connectAs(gateway, "captain");
    const text = "subscription { ShipsMessageAdded { id } ShipsMessageDeleted { id } }";
    const own = await subscribe(socket, text);
    await query("insert into port.ships (id) values (1)");
    const { position } = await socket.take({ type: "subscription", id: own });
    socket.close();
    await socket.closed;
    await query("insert into port.ships (id) values (2)");
    await query("delete from port.ships");
    const back = await connectAs(gateway, "captain");
    const second = await subscribe(back, text, { after: position });
    await query("insert into port.ships (id) values (3)");
    const came: string[] = [];
    while (came.length < 3) came.push(JSON.stringify(await dataOf(back, second)));
    assert.deepEqual(
      came.filter((data) => data.includes('Added":[')),
      [2, 3].map((id) => `{"ShipsMessageAdded":[{"id":"${id}"}],"ShipsMessageDeleted":null}`),
    );
    assert.deepEqual(
      came.filter((data) => data.includes('Deleted":[')).map((data) => JSON.parse(data).ShipsMessageDeleted.length),
      [2],
    );
    await query("delete from port.ships");
    back.close();
  }).timeout(60_000);

  it("a transaction of many rows comes in parts, the last without more", async () => {
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(socket, "subscription { ShipsMessageAdded { id } }");
    const raw = await socket.ask({ type: "subscription", id: "raw", schema: "port", rel: "ships", op: "insert" });
    assert.equal(raw.type, "subscription_ack");
    await query("insert into port.ships (id) select generate_series(1, 2500)");
    const ids: string[] = [];
    for (let more = true; more;) {
      const message = await socket.take({ type: "subscription", id: own });
      more = message["more"] === true;
      ids.push(...(message["data"] as { ShipsMessageAdded: { id: string }[] }).ShipsMessageAdded.map((row) => row.id));
    }
    assert.equal(new Set(ids).size, 2500);
    await query("delete from port.ships");
    socket.close();
  });

  it("TRUNCATE is a gap, and the subscription goes on", async () => {
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(socket, "subscription { ShipsMessageDeleted { id } }");
    await query("truncate port.ships");
    const { after, position, ...gap } = await socket.take({ id: own });
    assert.deepEqual(gap, { type: "gap", id: own });
    assert.ok(typeof after === "string" && typeof position === "string" && after !== position);
    await query("insert into port.ships (id) values (1); delete from port.ships");
    assert.deepEqual(await dataOf(socket, own), { ShipsMessageDeleted: [{ id: "1" }] });
    socket.close();
  });

  it("row security: a row that becomes visible is Added, one that is hidden Deleted, the rest is silent", async () => {
    const socket = await connectAs(gateway, "guest");
    const own = await subscribe(
      socket,
      "subscription { OwnedMessageAdded { id } OwnedMessageUpdated { id } OwnedMessageDeleted { id owner } }",
    );
    const none = { OwnedMessageAdded: null, OwnedMessageUpdated: null, OwnedMessageDeleted: null };
    await query("insert into port.owned values (1, 'captain'), (2, 'guest')");
    assert.deepEqual(await dataOf(socket, own), { ...none, OwnedMessageAdded: [{ id: "2" }] });
    await query("update port.owned set owner = 'guest' where id = 1");
    assert.deepEqual(await dataOf(socket, own), { ...none, OwnedMessageAdded: [{ id: "1" }] });
    await query("update port.owned set owner = 'captain' where id = 2");
    assert.deepEqual(await dataOf(socket, own), { ...none, OwnedMessageDeleted: [{ id: "2", owner: "guest" }] });
    await query("update port.owned set id = 20 where id = 2");
    await query("delete from port.owned");
    assert.deepEqual(await dataOf(socket, own), { ...none, OwnedMessageDeleted: [{ id: "1", owner: "guest" }] });
    assert.deepEqual(socket.received, []);
    socket.close();
  });

  it("a revoked right ends the subscription with NOT_ALLOWED and complete, and no other", async () => {
    const [guest, captain] = [await connectAs(gateway, "guest"), await connectAs(gateway, "captain")];
    const own = await subscribe(guest, "subscription { ShipsMessageAdded { id name } }");
    const kept = await subscribe(guest, "subscription { OwnedMessageAdded { id } }");
    const other = await subscribe(captain, "subscription { ShipsMessageAdded { id } }");
    await query(`revoke select on port.ships from "guest@${gateway.database.name}"`);
    assert.equal((await guest.take({ id: own }))["error"], "NOT_ALLOWED");
    assert.deepEqual(await guest.take({ id: own }), { type: "complete", id: own });
    await query("insert into port.ships (id) values (1)");
    await query("insert into port.owned values (9, 'guest')");
    assert.deepEqual(await dataOf(captain, other), { ShipsMessageAdded: [{ id: "1" }] });
    assert.deepEqual(await dataOf(guest, kept), { OwnedMessageAdded: [{ id: "9" }] });
    await query(
      `grant select on port.ships to "guest@${gateway.database.name}"; delete from port.ships; delete from port.owned`,
    );
    guest.close();
    captain.close();
  });

  it("an impossible subscription is refused with the reason", async () => {
    const socket = await connectAs(gateway, "guest");
    for (const [text, error, message] of [
      ["subscription { QuietMessageAdded { id } }", "INVALID_SUBSCRIPTION", /enable_events/],
      ["subscription { SeenMessageAdded { id } }", "SUBSCRIPTION_PARSE_ERROR", /SeenMessageAdded/],
      ["subscription { HarboursMessageAdded { secret } }", "NOT_ALLOWED", /"secret"/],
      ['subscription { HarboursMessageAdded(where: { secret: "x" }) { id } }', "NOT_ALLOWED", /"secret"/],
      ["subscription { HarboursMessageAdded(where: { place: null }) { id } }", "INVALID_SUBSCRIPTION", /place/],
      ["subscription { HarboursMessageAdded(where: { nope: 1 }) { id } }", "INVALID_SUBSCRIPTION", /nope/],
      ["subscription { ShipsMessageAdded(where: { tags: { contains: [1] } }) { id } }", "INVALID_SUBSCRIPTION", /tags/],
      ["subscription { ShipsMessageAdded(where: { info: { eq: {} } }) { id } }", "INVALID_SUBSCRIPTION", /info/],
      ["subscription { ShipsMessageAdded(where: { harbours: {} }) { id } }", "INVALID_SUBSCRIPTION", /./],
      ['subscription { ShipsMessageAdded(where: "1 = 1") { id } }', "INVALID_SUBSCRIPTION", /./],
      [
        'subscription { ShipsMessageAdded(where: "id = 1; drop table port.ships") { id } }',
        "INVALID_SUBSCRIPTION",
        /./,
      ],
      ["subscription { ShipsMessageAdded { nope } }", "SUBSCRIPTION_PARSE_ERROR", /nope/],
      ["subscription { ", "SUBSCRIPTION_PARSE_ERROR", /Syntax/],
      ["subscription { __typename }", "INVALID_SUBSCRIPTION", /__typename/],
      ["subscription { ShipsMessageAdded @skip(if: true) { id } }", "INVALID_SUBSCRIPTION", /./],
      ["subscription ($a: Int!) { ShipsMessageAdded(where: { id: $a }) { id } }", "SUBSCRIPTION_PARSE_ERROR", /\$a/],
      [
        `subscription { ${"ShipsMessageAdded { harbours { ships { ".repeat(7)} id ${"} } }".repeat(7)} }`,
        "LIMIT_EXCEEDED",
        /./,
      ],
    ] as const) {
      const answer = await refused(socket, text);
      assert.equal(answer["error"], error, `${text}: ${JSON.stringify(answer)}`);
      assert.match(answer["message"] as string, message, text);
    }
    for (const [more, error] of [
      [{ schema: "nowhere" }, "INVALID_SUBSCRIPTION"],
      [{ schema: "portolan" }, "INVALID_SUBSCRIPTION"],
      [{ after: "yesterday" }, "INVALID_SUBSCRIPTION"],
      [{ operationName: "other" }, "INVALID_SUBSCRIPTION"],
    ] as const)
      assert.equal((await refused(socket, "subscription { ShipsMessageAdded { id } }", more))["error"], error);
    // the socket stays open
    await subscribe(socket, "subscription { ShipsMessageAdded { id } }");
    socket.close();
  });

  it("a column that is added, renamed or dropped while subscribed", async () => {
    await query(
      "create table port.moved (id int primary key, a int, b text); select portolan.enable_events('port.moved'); select portolan.share_with_owner('{port}')",
    );
    const served = async () =>
      (await gateway.graphql("captain", "port", "{ getMoved { id a b } }")).body.errors === undefined;
    await until(served);
    const socket = await connectAs(gateway, "captain");
    const own = await subscribe(socket, "subscription { MovedMessageAdded { id b } }");
    const lost = await subscribe(socket, "subscription { MovedMessageAdded { a } }");
    await query("insert into port.moved values (1, 1, 'x')");
    assert.deepEqual(await dataOf(socket, own), { MovedMessageAdded: [{ id: "1", b: "x" }] });
    assert.deepEqual(await dataOf(socket, lost), { MovedMessageAdded: [{ a: 1 }] });
    await query("alter table port.moved drop column a, add column c int default 5");
    await query("insert into port.moved values (2, 'y')");
    assert.deepEqual(await dataOf(socket, own), { MovedMessageAdded: [{ id: "2", b: "y" }] });
    assert.equal((await socket.take({ id: lost })).type, "error");
    socket.close();
  });
});
