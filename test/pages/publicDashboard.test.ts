import assert from "node:assert/strict";
import { INJECTIONS, problemOf, requestsAs } from "../management/requests.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { until } from "../support/until.ts";

const PANELS = [
  { title: "Berths", q: "select count(*) from world.berths", show: "number" },
  { title: "Above", q: "select id, name from world.berths where id > :least order by id", params: { least: 2 }, show: "table", wide: true }, // oxfmt-ignore
  { title: "Hidden", q: "select secret from world.plans", show: "table" },
  { title: "Broken", q: "select nothing_there from world.plans_of_the_port", show: "table" },
  { title: "Endless", q: "select count(*) from generate_series(1, 100000000000) n", show: "number" },
  { title: "Who", q: "select current_user::text as who, now()::text as at", show: "table" },
  { title: "Many", q: "select n, n::text || 'x' as t from generate_series(1, 5000) n", show: "line", x: "n", y: "n" },
  { title: "Writes", q: "with x as (delete from world.berths returning 1) select count(*) from x", show: "number" },
  { title: "Escapes", q: "select set_config('role', 'none', true)", show: "table" },
  { title: "Divides", q: "select 1 / (id - 1) from world.berths", show: "table" },
  { title: "Wide", q: "select repeat('x', 600000) as t", show: "table" },
  { title: "Elsewhere", q: "select depth from soundings.depths", show: "number" },
] as const;
const numberOf = (title: (typeof PANELS)[number]["title"]): number =>
  PANELS.findIndex((panel) => panel.title === title) + 1;

describe("public dashboards", () => {
  let gateway: TestGateway;
  let path: string;

  before(async () => {
    gateway = await testGateway({
      config: { schemas: ["world"], panelTimeoutMs: 300, panelSeconds: 600 },
      prepare: ({ client, name }) =>
        client.query(`
create table world.berths (id int primary key, name text);
insert into world.berths values (1, 'one'), (2, 'two'), (3, 'three <b>');
create table world.plans (secret text);
insert into world.plans values ('of the port');
create schema soundings;
create table soundings.depths as select 7 as depth;
grant usage on schema soundings to "anonymous@${name}";
grant select on world.berths, soundings.depths to "anonymous@${name}";
select portolan.create_dashboard('port', 'The port', '${JSON.stringify(PANELS).replaceAll("'", "''")}', '{*}');
select portolan.create_dashboard('own', 'Own', '[{"q": "select 1", "show": "number"}]', '{guest}');`),
    });
    path = `/dashboards/${gateway.database.name}/port`;
  });
  after(() => gateway.close());

  const rows = async (text: string) => (await gateway.database.client.query(text)).rows as Record<string, never>[];
  const panel = (title: (typeof PANELS)[number]["title"]) => gateway.http.get(`${path}/panels/${numberOf(title)}`);

  it("are there for everybody, without an account and without their statements", async () => {
    const { text, headers } = await gateway.http.get(path).expect(200);
    assert.match(text, /<title>The port<\/title>/);
    assert.match(text, /Berths/);
    assert.doesNotMatch(text, /select|least|captain|owner|shared/);
    assert.equal(headers["cache-control"], "no-cache");
    assert.match(headers["content-security-policy"] ?? "", /connect-src 'self';.*frame-ancestors 'none'$/);
    const { body, headers: kept } = await panel("Berths").expect(200);
    assert.deepEqual(body, {
      ...{ show: "number", title: "Berths", x: null, y: null, wide: false, more: false },
      ...{ schema: { count: { type: "int8", array: false } }, data: [{ count: 3 }] },
    });
    assert.equal(kept["cache-control"], "public, max-age=1");
    assert.deepEqual((await panel("Above").expect(200)).body.data, [{ id: 3, name: "three <b>" }]);
  });

  it("answer for one that is not shared with everybody as for one that does not exist", async () => {
    const of = async (name: string, rest = "") => {
      const { status, text } = await gateway.http.get(`/dashboards/${gateway.database.name}/${name}${rest}`);
      return [status, text.replaceAll(name, "NAME")];
    };
    assert.equal((await of("own"))[0], 404);
    for (const rest of ["", "/panels/1", "/panels/2"]) assert.deepEqual(await of("own", rest), await of("nay", rest));
    const token = await gateway.token("guest");
    await gateway.http
      .get(`/dashboards/${gateway.database.name}/own`)
      .set("Authorization", `Bearer ${token}`)
      .expect(404);
    await gateway.http.get("/dashboards/none/port").expect(404);
    for (const kind of ["dashboards", "maps"])
      for (const name of ["%00", "port%00", "Port", "p%2Fo", "x".repeat(61)])
        problemOf(await gateway.http.get(`/${kind}/${gateway.database.name}/${name}`), 404);
    for (const text of INJECTIONS.filter((each) => !each.includes("\0")))
      await gateway.http.get(`/dashboards/${gateway.database.name}/${encodeURIComponent(text)}/panels/1`).expect(404);
  });

  it("run panels by their number alone, without parameters of the visitor", async () => {
    for (const number of ["0", "-1", "1.5", "01", "13", "99", "1e1", "x", "%27", "length", "__proto__"])
      problemOf(await gateway.http.get(`${path}/panels/${number}`), 404);
    for (const query of ["?q=select+1", "?params=%7B%7D", "?least=0", "?version=1"])
      problemOf(await gateway.http.get(`${path}/panels/2${query}`), 400);
    await gateway.http.post(`${path}/panels/1`).send({ q: "select 1" }).expect(405);
  });

  it("run as anonymous, also for a visitor who is signed in, and only read", async () => {
    const token = await gateway.token("captain");
    const { body } = await panel("Who").set("Authorization", `Bearer ${token}`).expect(200);
    assert.match(body.data[0].who, /^anonymous@/);
    problemOf(await panel("Writes"), 409);
    problemOf(await panel("Escapes"), 409);
    assert.deepEqual(await rows("select count(*)::int as n from world.berths"), [{ n: 3 }]);
  });

  it("tell in one sentence what fails, and nothing of the statement or the database", async () => {
    for (const [title, status, sentence] of [
      ["Hidden", 403, "This panel shows what nobody may read without an account"],
      ["Broken", 409, "The statement of this panel does not work here"],
      ["Divides", 409, "The statement of this panel does not work here"],
      ["Endless", 504, "This panel took too long"],
      ["Wide", 400, "This panel has more than can be shown here"],
    ] as const) {
      const response = await panel(title);
      assert.equal(problemOf(response, status), sentence);
      assert.doesNotMatch(response.text, /plans|nothing_there|division|sqlstate|select/, title);
    }
  });

  it("run a panel once for all visitors, with limits of time and rows, and keep failures too", async () => {
    const began = performance.now();
    for (let each = 0; each < 20; each++) problemOf(await panel("Endless"), 504);
    assert.ok(performance.now() - began < 20 * 300, "it ran for each visitor");
    const times = await Promise.all(Array.from({ length: 20 }, async () => (await panel("Who")).body.data[0].at));
    assert.equal(new Set(times).size, 1);
    const { body } = await panel("Many").expect(200);
    assert.deepEqual([body.data.length, body.more], [1000, true]);
  });

  it("end within five seconds where a right in a schema that is not exposed is taken", async () => {
    await panel("Elsewhere").expect(200);
    const anonymous = `"anonymous@${gateway.database.name}"`;
    await rows(`revoke select on soundings.depths from ${anonymous}`);
    await until(async () => (await panel("Elsewhere")).status === 403);
    await rows(`grant select on soundings.depths to ${anonymous}`);
    await until(async () => (await panel("Elsewhere")).status === 200);
    await rows("alter table soundings.depths enable row level security");
    await until(async () => (await panel("Elsewhere")).body.data.length === 0);
  });

  it("end at once where they are no longer shared, and where the right is taken", async () => {
    await rows(`revoke select on world.berths from "anonymous@${gateway.database.name}"`);
    await until(async () => (await panel("Berths")).status === 403);
    await rows(`grant select on world.berths to "anonymous@${gateway.database.name}"`);
    await until(async () => (await panel("Berths")).status === 200);
    const captain = await requestsAs(gateway, "captain");
    await captain("patch", "/dashboards/port", { shared: [] }).expect(303);
    await panel("Berths").expect(404);
    await gateway.http.get(path).expect(404);
    const [entry] = await rows("select details from portolan.audit where event = 'dashboard.changed' order by id desc");
    assert.match(JSON.stringify(entry), /shared/);
  });
});
