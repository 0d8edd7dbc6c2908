import assert from "node:assert/strict";
import { mapGateway, type MapGateway } from "./fixture.ts";

const RED = "#ff0000ff";
const BOX = "bbox=10,50,12,52&width=20&height=20";
/** Names that could end a string, a statement, a block or a connection somewhere on the way. */
const NAMES = [
  `it's "quoted"`,
  `back\\slash \\' \\"`,
  "new\nline\r\ttab",
  "END",
  "[brackets] %map% {braces}",
  `x' END INCLUDE '/etc/passwd`,
  `geom from (select 1) as q using unique id using srid=1`,
  "!BOX!",
  "$$ || $1 -- ;",
  "über 地図 🗺",
  "select",
];
const quote = (name: string): string => `"${name.replaceAll('"', '""')}"`;
const idOf = (table: string): string =>
  encodeURIComponent(`gis.${table.replace(/[.,%]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)}`);

describe("maps under attack", () => {
  let gateway: MapGateway;

  before(async () => {
    gateway = await mapGateway({
      prepare: async ({ client }) => {
        for (const [n, name] of NAMES.entries()) {
          const table = `gis.${quote(name)}`;
          await client.query(
            `create type ${`gis.${quote(`type ${name}`)}`} as enum ('a', ${client.escapeLiteral(name.slice(0, 60))})`,
          );
          await client.query(`
create table ${table} (
  ${quote(`key ${name}`)} integer primary key,
  ${quote(`text ${name}`)} text,
  ${quote(`enum ${name}`)} gis.${quote(`type ${name}`)},
  ${quote(`size ${name}`)} integer,
  ${quote(`geom ${name}`)} geometry(Polygon, 4326))`);
          await client.query(`insert into ${table} values ($1, $2, $3, 5, st_makeenvelope(10, 50, 12, 52, 4326))`, [
            n,
            name,
            name.slice(0, 60),
          ]);
          const style = [
            {
              name,
              where: { [`text ${name}`]: name, [`enum ${name}`]: { in: ["a", name.slice(0, 60)] } },
              styles: [{ color: "#ff0000" }, { outlineColor: `text ${name}`, width: `size ${name}` }],
              labels: [{ text: `{${`text ${name}`}} ' " \\ END`, size: `size ${name}` }],
            },
          ];
          const hasBraces = /[{}]/.test(name);
          if (hasBraces) style[0]!.labels = [{ text: `text ${name}`, size: `size ${name}` }];
          await client.query("select portolan.set_style($1::regclass, $2)", [table, JSON.stringify(style)]);
        }
        // an account whose role belongs to a team and has another name
        await client.query(`create role "o'role \\ ""x"" -c role=postgres"`);
        await client.query(`select portolan.adopt_role('odd', $1)`, [`o'role \\ "x" -c role=postgres`]);
        await client.query("select portolan.set_privilege('gis.squares', 'odd', 'read')");
        await client.query(`
create view gis.who with (security_barrier) as
  select 1 as id, st_makeenvelope(10, 50, 12, 52, 4326)::geometry(Polygon, 4326) as geom
  where current_setting('portolan.user') = 'odd' and current_setting('is_superuser') = 'off'
    and current_setting('role') = 'o''role \\ "x" -c role=postgres';
select portolan.set_style('gis.who', '[{"name": "All", "styles": [{"color": "#ff0000"}]}]');
select portolan.set_privilege('gis.who', 'odd', 'read');`);
      },
    });
  });
  after(async () => {
    const { client } = gateway;
    await client.query(`select portolan.drop_user('odd')`);
    await client.query(
      `drop owned by "o'role \\ ""x"" -c role=postgres"; drop role "o'role \\ ""x"" -c role=postgres"`,
    );
    await gateway.close();
  });

  for (const name of NAMES)
    it(`names and values stay names and values: ${JSON.stringify(name)}`, async () => {
      const map = await gateway.map(`/collections/${idOf(name)}/map?${BOX}`);
      assert.equal(map.at(2, 2), RED);
      const legend = await gateway.map(`/collections/${idOf(name)}/legend`);
      assert.ok(legend.count("#ff0000") > 20);
    });

  it("a role's name sets no option of the connection", async () => {
    assert.equal((await gateway.map(`/collections/gis.who/map?${BOX}`, "odd")).at(5, 5), RED);
    assert.equal((await gateway.map(`/collections/gis.who/map?${BOX}`)).at(5, 5), "#00000000");
  });

  for (const query of [
    ...["mode=map", "map=/etc/passwd", "MAP=x", "layers=l0", "LAYERS=l0", "SLD=http://127.0.0.1/x", "SLD_BODY=x"],
    ...["service=WFS", "request=GetCapabilities", "map_layer=x", "map.layer[0]=DATA+x", "role=postgres", "styles=x"],
    ...[
      "exceptions=INIMAGE",
      "SRS=EPSG:4326",
      "format=image/svg",
      "angle=10",
      "mapext=1",
      "%62box=1,2,3,4&bBox=1,2,3,4",
    ],
  ])
    it(`a parameter of MapServer is refused: ${query}`, async () => {
      for (const path of ["/collections/gis.squares/map", "/map"]) {
        const response = await gateway.ask(`${path}?${BOX}&${query}`, "captain");
        assert.equal(response.status, 400);
        const { code } = await response.json();
        assert.equal(code, query.startsWith("%") ? "INVALID_PARAMETER" : "UNKNOWN_PARAMETER");
      }
    });

  for (const [name, values] of Object.entries({
    width: ["0", "16385", "-1", "1.5", "1e3", "", "NaN", "Infinity", "٣", "10&width=10", "99999999999999999999"],
    height: ["0", "16385", "+1", "0x10", " "],
    bbox: [
      ...["", "1", "1,2,3", "1,2,3,4,5", "1,2,3,4,5,6,7", "a,b,c,d", "10,50,10,52", "10,50,12,50", "12,50,10,52"],
      ...[
        "10,52,12,50",
        "NaN,0,1,1",
        "0,0,Infinity,1",
        "1e400,0,1,1",
        "10,50,12,52;drop table x",
        "10,50,12,52&bbox=1,2,3,4",
      ],
      ...["-500,-500,-400,-400", "'10',50,12,52"],
    ],
    crs: ["", "x", "http://www.opengis.net/def/crs/EPSG/0/999999", "4326' or 1=1"],
    transparent: ["", "yes", "1", "TRUE", "true&transparent=false"],
    bgcolor: ["", "0x12345", "0xGGGGGG", "#ff0000", "notacolour", "0xFFFFFF END", "red;"],
    f: ["", "svg", "image/svg+xml", "json", "application/json", "../png", "png&f=jpeg"],
    datetime: ["", "yesterday", "2026-13-01", "..", "2026-01-01T00:00:00Z'"],
  }))
    it(`bad values of ${name} are 400 and name it`, async () => {
      const others = BOX.split("&").filter((each) => !each.startsWith(`${name}=`));
      for (const value of values) {
        const response = await gateway.ask(
          `/collections/gis.squares/map?${[...others, `${name}=${value}`].join("&")}`,
          "captain",
        );
        const body = await response.json();
        assert.equal(response.status, 400, `${name}=${value}: ${JSON.stringify(body)}`);
        assert.match(body.code, /^(INVALID_PARAMETER|INVALID_CRS)$/);
        assert.ok(body.message.startsWith(`${name}:`), body.message);
      }
    });

  it("a rectangle that is nowhere in the other system is 400", async () => {
    const EPSG = "http://www.opengis.net/def/crs/EPSG/0";
    const response = await gateway.ask(
      `/collections/gis.utm/map?width=10&crs=${EPSG}/25832&bbox=-180,-90,-170,-89.99`,
      "captain",
    );
    assert.ok([200, 400].includes(response.status));
    const far = await gateway.ask(
      `/collections/gis.utm/map?width=10&bbox-crs=${EPSG}/25832&bbox=1e300,1e300,2e300,2e300`,
      "captain",
    );
    assert.equal(far.status, 400);
  });

  it("hundreds of large maps at once: each is drawn or gets a 503 with Retry-After, and the service stays up", async () => {
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        gateway.ask("/collections/gis.squares/map?width=2000&height=2000&f=jpeg", "captain"),
      ),
    );
    const statuses = await Promise.all(
      answers.map(async (response) => {
        await response.arrayBuffer();
        return response.status;
      }),
    );
    assert.ok(statuses.every((status) => status === 200 || status === 503));
    assert.ok(statuses.includes(200));
    assert.equal((await gateway.http.get("/readyz")).status, 200);
  }).timeout(120_000);
});
