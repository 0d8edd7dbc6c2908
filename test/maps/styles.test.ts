import assert from "node:assert/strict";
import { requestsAs, type Requests } from "../management/requests.ts";
import { until } from "../support/events.ts";
import { mapGateway, type MapGateway } from "./fixture.ts";

const RED = "#ff0000ff";
const STYLE = "/schemas/gis/tables/squares/style";
const one = (members: object) => [{ name: "All", ...members }];
const drawn = (drawing: unknown) => one({ styles: [drawing] });
const labelled = (label: unknown) => one({ labels: [label] });

/** Styles that are not right, with the path that the error must begin with. */
const WRONG: readonly (readonly [path: string, style: unknown])[] = [
  ["style:", {}],
  ["style:", "red"],
  ["style:", []],
  ["style:", Array.from({ length: 101 }, () => ({ name: "All" }))],
  ["style[0]:", [1]],
  ["style[0]:", [{}]],
  ["style[0].name:", [{ name: "" }]],
  ["style[0].name:", [{ name: "x".repeat(101) }]],
  ["style[0].name:", [{ name: 7 }]],
  ["style[0]:", one({ color: "#ff0000" })],
  ["style[0].styles:", one({ styles: {} })],
  ["style[0].styles[0]:", drawn("red")],
  ["style[0].styles[0]:", drawn({ fill: "#ff0000" })],
  ["style[0].styles[0].color:", drawn({ color: "red" })],
  ["style[0].styles[0].color:", drawn({ color: "#ff000" })],
  ["style[0].styles[0].color:", drawn({ color: "height" })],
  ["style[0].styles[0].color:", drawn({ color: '#ff0000" END INCLUDE "/etc/passwd' })],
  ["style[0].styles[1].width:", one({ styles: [{}, { width: -1 }] })],
  ["style[0].styles[0].width:", drawn({ width: "kind" })],
  ["style[0].styles[0].width:", drawn({ width: "5" })],
  ["style[0].styles[0].size:", drawn({ size: 501 })],
  ["style[0].styles[0].size:", drawn({ size: "[height]" })],
  ["style[0].styles[0].symbol:", drawn({ symbol: "/etc/passwd" })],
  ["style[0].styles[0].pattern:", drawn({ pattern: [1] })],
  ["style[0].styles[0].pattern:", drawn({ pattern: [1, "2 END"] })],
  ["style[0].styles[0].angle:", drawn({ angle: 361 })],
  ["style[0].styles[0].opacity:", drawn({ opacity: 101 })],
  ["style[0].labels[0]:", labelled({ size: 10 })],
  ["style[0].labels[0].text:", labelled({ text: "nothing" })],
  ["style[0].labels[0].text:", labelled({ text: "{nothing}" })],
  ["style[0].labels[0].text:", labelled({ text: "geom" })],
  ["style[0].labels[0].position:", labelled({ text: "kind", position: "top" })],
  ["style[0].labels[0].maxScale:", labelled({ text: "kind", minScale: 10, maxScale: 10 })],
  ["style[0].minScale:", one({ minScale: 0 })],
  ["style[0].maxScale:", one({ minScale: 10, maxScale: 5 })],
  ["style[0].where:", one({ where: { nothing: 1 } })],
  ["style[0].where:", one({ where: 7 })],
  ["style[0].where.kind", one({ where: { kind: { near: 1 } } })],
  ["style[0].where.kind", one({ where: { kind: 7 } })],
  ["style[0].where.height", one({ where: { height: "tall" } })],
  ["style[0].where.height.gt", one({ where: { height: { gt: null } } })],
  ["style[0].where.height.in", one({ where: { height: { in: 7 } } })],
  ["style[0].where.or[1].height", one({ where: { or: [{ kind: "park" }, { height: true }] } })],
];

describe("styles", () => {
  let gateway: MapGateway;
  let captain: Requests;
  let guest: Requests;
  const set = (style: unknown, relation = "gis.squares") =>
    gateway.client.query("select portolan.set_style($1::regclass, $2)", [relation, JSON.stringify(style)]);

  before(async () => {
    gateway = await mapGateway({ config: { catalogueIntervalMs: 50 } });
    captain = await requestsAs(gateway, "captain");
    guest = await requestsAs(gateway, "guest");
  });
  after(() => gateway.close());

  for (const [path, style] of WRONG)
    it(`is refused when it is set, and in a comment: ${JSON.stringify(style).slice(0, 80)}`, async () => {
      const starts = (error: Error): boolean => {
        assert.ok(error.message.startsWith(path), `${error.message} does not start with ${path}`);
        return true;
      };
      await assert.rejects(set(style), starts);
      const { rows } = await gateway.client.query<{ problem: string }>(
        "select portolan.style_problem('gis.squares', $1) as problem",
        [JSON.stringify(style)],
      );
      starts(new Error(rows[0]?.problem));
    });

  it("is drawn with every member", async () => {
    const style = [
      {
        name: "Tall 'n' \"wide\" \\ %x% [y] END",
        where: { and: [{ kind: { like: "p%" } }, { not: { height: { nin: [1, null] } } }], or: { id: { lte: 3 } } },
        minScale: 1,
        maxScale: 1e9,
        styles: [
          { color: "tint", outlineColor: "#000000", width: "height", opacity: 70.5 },
          { symbol: "hatch", size: 6, angle: -45.5, color: "#FF0000", pattern: [1, 2.5] },
        ],
        labels: [{ text: "{kind}: {height} m", size: 9, color: "#000000", outlineColor: "#ffffff", position: "uc" }],
      },
      { name: "Rest", where: null, styles: null, labels: [] },
    ];
    await set(style);
    assert.deepEqual((await captain("get", STYLE).expect(200)).body, style);
    assert.ok((await gateway.map("/collections/gis.squares/map?width=100")).width > 0);
  });

  it("is set over REST by super users: 303, and an error names the path", async () => {
    const { headers } = await captain("patch", STYLE, drawn({ color: "#ff0000" })).expect(303);
    assert.equal(headers["location"], `/api/v4${STYLE}`);
    assert.deepEqual((await captain("get", STYLE)).body, drawn({ color: "#ff0000" }));
    const { body } = await captain("patch", STYLE, drawn({ color: "red" })).expect(400);
    assert.match(body.detail, /^style\[0\]\.styles\[0\]\.color: expected a colour/);
    await captain("patch", STYLE, [{ name: "All", colour: "#ff0000" }]).expect(400);
    await guest("patch", STYLE, drawn({ color: "#ff0000" })).expect(403);
    await guest("get", STYLE).expect(403);
    await captain("patch", "/schemas/gis/tables/nothing/style", drawn({})).expect(404);
    await captain("patch", STYLE, []).expect(303);
    assert.deepEqual((await captain("get", STYLE)).body, []);
  });

  it("draws within a moment of being set, by set_style or a comment, and falls back to the default", async () => {
    const colour = async (collection = "gis.squares"): Promise<string> =>
      (await gateway.map(`/collections/${collection}/map?bbox=10,50,12,52&width=20`)).at(5, 5);
    const standard = await colour("gis.parks");
    await set(drawn({ color: "#ff0000" }));
    await until(async () => (await colour()) === RED);
    await gateway.client.query(
      `comment on table gis.squares is E'@style [{"name": "All", "styles": [{"color": "#00ff00"}]}]\\nSquares'`,
    );
    await set(null);
    await until(async () => (await colour()) === "#00ff00ff");
    await gateway.client.query(`comment on table gis.squares is '@style [{"name": "All", "style": 1}]'`);
    await until(async () => (await colour()) === standard);
    await gateway.client.query("comment on table gis.squares is null");
  });

  it("the legend has a line for each class, and is public if the collection is", async () => {
    const height = async (): Promise<number> => (await gateway.map("/collections/gis.squares/legend")).height;
    await set(one({ styles: [{ color: "#ff0000" }] }));
    await until(async () => (await gateway.map("/collections/gis.squares/legend")).count("#ff0000") > 50);
    const single = await height();
    await set(["a", "b", "c"].map((name) => ({ name, styles: [{ color: "#00ff00" }] })));
    await until(async () => (await height()) > 2 * single);
    assert.equal((await gateway.ask("/collections/gis.squares/legend")).status, 401);
    assert.equal((await gateway.ask("/collections/gis.squares/legend?width=5", "captain")).status, 400);
    assert.equal((await gateway.ask("/collections/gis.nothing/legend", "captain")).status, 404);
  });

  it("a map takes a style in its request, which is checked as others are and not stored", async () => {
    await set(drawn({ color: "#ff0000" }));
    const path = (style: unknown, collection = "gis.squares"): string =>
      `/collections/${collection}/map?${new URLSearchParams({
        bbox: "10,50,12,52",
        width: "20",
        "style-definition": typeof style === "string" ? style : JSON.stringify(style),
      })}`;
    const kinds = [
      { name: "Lakes", where: { kind: "lake" }, styles: [{ color: "#0000ff" }] },
      { name: "Others", styles: [{ color: "#00ff00" }] },
    ];
    const picture = await gateway.map(path(kinds));
    assert.deepEqual([picture.at(15, 15), picture.at(5, 5)], ["#0000ffff", "#00ff00ff"]);
    assert.equal((await gateway.map(path(drawn({ color: "#00ffff" })))).at(15, 15), "#00ffffff");
    await until(
      async () => (await gateway.map("/collections/gis.squares/map?bbox=10,50,12,52&width=20")).at(5, 5) === RED,
    );
    const traps = ["", "{", "red", '[{"name": "\\u0000"}]'];
    for (const style of [...WRONG.map(([, wrong]) => wrong), ...traps]) {
      const response = await gateway.ask(path(style), "captain");
      const problem = (await response.json()) as { readonly code: string; readonly detail: string };
      assert.deepEqual([response.status, problem.code], [400, "INVALID_PARAMETER"], JSON.stringify(style));
      assert.match(problem.detail, /^style-definition: (style|is empty)/);
    }
    assert.equal((await gateway.ask(path(kinds))).status, 401);
  });

  it("a style in a request knows no column that the caller may not select", async () => {
    await gateway.client.query(`
create type gis.grade as enum ('secret', 'open');
create table gis.graded (id int primary key, grade gis.grade, geom geometry(Polygon, 4326));
insert into gis.graded values (1, 'secret', st_makeenvelope(10, 50, 12, 52, 4326));
grant usage on schema gis to "guest@${gateway.database.name}";
grant select (id, geom) on gis.graded to "guest@${gateway.database.name}"`);
    const told = async (where: object, as: string): Promise<unknown> => {
      const style = JSON.stringify([{ name: "All", where, styles: [{ color: "#ff0000" }] }]);
      const query = new URLSearchParams({ bbox: "10,50,12,52", width: "20", "style-definition": style });
      const response = await gateway.ask(`/collections/gis.graded/map?${query}`, as);
      return response.status === 200 ? 200 : [response.status, ((await response.json()) as { detail: string }).detail];
    };
    const unknown = (name: string): unknown => [
      400,
      `style-definition: style[0].where: there is no column or logical operator "${name}"`,
    ];
    await until(async () => (await told({ id: 1 }, "guest")) === 200);
    assert.equal(await told({ grade: "secret" }, "captain"), 200);
    assert.deepEqual(await told({ nothing: "secret" }, "guest"), unknown("nothing"));
    assert.deepEqual(await told({ grade: "secret" }, "guest"), unknown("grade"));
    assert.deepEqual(await told({ grade: "guessed" }, "guest"), unknown("grade"));
    assert.deepEqual(await told({ grade: "guessed" }, "captain"), [
      400,
      'style-definition: style[0].where.grade: expected a value of type gis.grade, got "guessed"',
    ]);
    const deep = await gateway.ask(`/collections/gis.graded/map?style-definition=${"[".repeat(50_000)}`, "captain");
    assert.equal(deep.status, 400);
  });

  it("a style in a comment that is too long, too deep or compares 320,000 values hides no other collection", async () => {
    const colour = async (collection = "gis.squares"): Promise<string> =>
      (await gateway.map(`/collections/${collection}/map?bbox=10,50,12,52&width=20`)).at(5, 5);
    const standard = await colour("gis.parks");
    const list = Array.from({ length: 10_000 }, (_, n) => n % 10).join();
    const where = `{"and": [${`{"id": {"in": [${list}]}},`.repeat(31)} {"id": {"in": [${list.slice(0, -1)}999999999999]}}]}`;
    for (const style of [
      "[".repeat(200_000),
      `[{"name": "${"x".repeat(1_000_100)}"}]`,
      `[{"name": "All", "where": ${where}, "styles": [{"color": "#00ff00"}]}]`,
    ]) {
      await set(null);
      await gateway.client.query(
        `comment on table gis.squares is '@style [{"name": "All", "styles": [{"color": "#00ff00"}]}]'`,
      );
      await until(async () => (await colour()) === "#00ff00ff");
      for (const table of ["squares", "lines", "points", "empty"])
        await gateway.client.query(`comment on table gis.${table} is '@style ${style}'`);
      await until(async () => (await colour()) === standard);
      assert.equal((await gateway.ask("/collections/gis.lines", "captain")).status, 200);
    }
    for (const table of ["squares", "lines", "points", "empty"])
      await gateway.client.query(`comment on table gis.${table} is null`);
  });
});
