/** Random filters, over HTTP: features, vector tiles and maps keep the rows of the same plain SQL. */
import assert from "node:assert/strict";
import { findMapserv } from "../../../server/setup/programs.mjs";
import { TABLES } from "../../filter/cities.ts";
import { FilterGenerator, type Generated } from "../../filter/cql2Generated.ts";
import { picture } from "../../maps/pixels.ts";
import { sized } from "../../support/size.ts";
import { readVectorTile } from "../../support/vectorTile.ts";
import { tileGateway, type TileGateway } from "../../tiles/fixture.ts";

const FILTERS = sized(40, 1500);
const STYLE = '[{"name": "All", "styles": [{"symbol": "square", "size": 5, "color": "#ff0000"}]}]';
/** A map of ten pixels a degree, in which each city has its own square. */
const [WEST, NORTH, DEGREE, SIZE] = [0, 60, 10, 200];

interface City {
  readonly id: number;
  /** Longitude and latitude; null if it has none. */
  readonly place: readonly [number, number] | null;
}

describe("random filters", () => {
  let gateway: TileGateway;
  before(async () => {
    gateway = await tileGateway({
      prepare: ({ client }) =>
        client.query(`drop extension if exists unaccent; ${TABLES}
alter table geo.cities add foreign key (country_id) references geo.countries;
grant usage on schema ext, shop to public;
select portolan.set_style('geo.cities', '${STYLE}');
select portolan.set_authentication(t::regclass, 'None') from unnest('{geo.cities,geo.countries}'::text[]) t`),
    });
  });
  after(() => gateway.close());

  const citiesWhere = async (condition: string): Promise<readonly City[]> =>
    (
      await gateway.client.query<City>(
        `select id, case when geom is not null then array[public.st_x(geom), public.st_y(geom)] end as place
         from geo.cities where ${condition} order by 1`,
      )
    ).rows;
  async function answerTo(path: string, filter: string, language = "cql2-text"): Promise<Buffer> {
    const query = `filter-lang=${language}&filter=${encodeURIComponent(filter)}`;
    const response = await gateway.ask(`/collections/geo.cities/${path}${query}`);
    const body = Buffer.from(await response.arrayBuffer());
    assert.ok(response.status === 200 || response.status === 204, `${path} ${response.status} ${body.toString()}`);
    return body;
  }
  const sorted = (ids: readonly unknown[]): number[] => ids.map(Number).sort((a, b) => a - b);

  async function inItems(filter: string, language: string): Promise<number[]> {
    const { features } = JSON.parse((await answerTo("items?limit=100&", filter, language)).toString()) as {
      features: { id: number }[];
    };
    return sorted(features.map(({ id }) => id));
  }
  async function inTile(filter: string): Promise<number[]> {
    const [layer] = readVectorTile(await answerTo("tiles/WebMercatorQuad/0/0/0?", filter));
    return sorted((layer?.features ?? []).map(({ properties }) => properties["id"]));
  }
  /** The rows of `all` whose places are red. */
  async function inMap(filter: string, all: readonly City[]): Promise<number[]> {
    const box = [WEST, NORTH - SIZE / DEGREE, WEST + SIZE / DEGREE, NORTH].join();
    const map = picture(await answerTo(`map?bbox=${box}&width=${SIZE}&height=${SIZE}&`, filter));
    const isRed = ({ place }: City): boolean =>
      map.at(Math.floor((place![0] - WEST) * DEGREE), Math.floor((NORTH - place![1]) * DEGREE)) === "#ff0000ff";
    return sorted(all.filter(isRed).map(({ id }) => id));
  }

  async function check({ text, json, plain }: Generated, onMap: readonly City[]): Promise<boolean> {
    const expected = await citiesWhere(plain);
    const ids = (some: readonly City[]): number[] => some.map(({ id }) => id);
    assert.deepEqual(await inItems(text, "cql2-text"), ids(expected), "features, by text");
    assert.deepEqual(await inItems(JSON.stringify(json), "cql2-json"), ids(expected), "features, by JSON");
    assert.deepEqual(await inTile(text), ids(expected.filter(({ place }) => place !== null)), "tile");
    const drawn = new Set(ids(expected));
    if (findMapserv() !== undefined)
      assert.deepEqual(await inMap(text, onMap), ids(onMap.filter(({ id }) => drawn.has(id))), "map");
    return expected.length > 0;
  }

  it(`keep the rows of the same plain SQL, as features, tiles and maps: ${FILTERS} filters`, async function () {
    this.timeout(600_000);
    const onMap = (await citiesWhere("true")).filter(({ place }) => place !== null && place[0] < WEST + SIZE / DEGREE);
    assert.equal(onMap.length, 5);
    const seed = sized(7, Math.floor(Math.random() * 2 ** 31));
    const generator = new FilterGenerator(seed, "countries");
    let matched = 0;
    for (let index = 0; index < FILTERS; index++) {
      const filter = generator.filter();
      try {
        if (await check(filter, onMap)) matched++;
      } catch (error) {
        throw new Error(`seed ${seed}, filter ${index}: ${filter.text}, of which SQL is ${filter.plain}`, {
          cause: error,
        });
      }
    }
    assert.ok(matched > FILTERS / 10, `only ${matched} kept a row`);
  });
});
