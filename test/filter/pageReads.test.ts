import assert from "node:assert/strict";
import { hrefOf, idsOf, ogcGateway, type OgcGateway } from "../ogc/support.ts";
import { logPlans, rowsRead } from "../support/plans.ts";

const ROWS = 20_000;
const LIMIT = 20;
/** The limit of their statements: often one more row is read, to see whether there is one. */
const OF_PAGE = /limit 2[01]\b/;
/** The orders that an index of `geo.deep` supports. */
const INDEXED: readonly (readonly object[])[] = [
  [{ size: "asc" }],
  [{ size: "desc" }],
  [{ size: "asc_nulls_first" }],
  [{ size: "desc_nulls_last" }],
  [{ rank: "asc" }, { size: "desc" }, { id: "asc" }],
  [{ rank: "desc" }, { size: "asc" }, { id: "desc" }],
  [{ kind: "asc" }, { size: "asc" }],
  [{ kind: "desc" }, { size: "desc" }],
  [{ kind: "asc" }, { size: "asc" }, { share: "asc" }],
  [{ share: "asc" }],
  [{ share: "desc" }],
  [{ rank: "asc" }],
  [{ label: "asc" }],
];

describe("pages in the order of an index", () => {
  let gateway: OgcGateway;

  before(async () => {
    gateway = await ogcGateway({
      prepare: async (database) => {
        await database.client.query(`
create table geo.deep (id int primary key, size int, share float8, kind text collate "C", name text, rank int not null, geom geometry(Point, 4326));
insert into geo.deep
select i, nullif(i % 41, 0), (array['NaN', 'infinity', '-infinity', null, i::text])[1 + i % 5]::float8,
  (array['a', 'b', null, 'c'])[1 + i % 4], case when i % 3 > 0 then 'Name ' || i end, i % 7, st_setsrid(st_makepoint(i % 180, i % 80), 4326)
from generate_series(1, ${ROWS}) i order by md5(i::text);
create function geo.deep_label(geo.deep) returns text language sql immutable as $$ select lower($1.name) $$;
create index on geo.deep (size, id);
create index on geo.deep (size nulls first, id);
create index on geo.deep (size desc, id);
create index on geo.deep (rank, size desc, id);
create index on geo.deep (rank, id);
create index on geo.deep (kind, size, id);
create index on geo.deep (kind, size, share, id);
create index on geo.deep (share, id);
create index on geo.deep (share desc, id);
create index on geo.deep (name text_pattern_ops);
create index on geo.deep (lower(name), id);
analyze geo.deep;
select portolan.set_authentication('geo.deep', 'None'), portolan.set_privilege('geo.deep', 'captain', 'read');`);
        await logPlans(database);
      },
    });
  });
  after(() => gateway.close());

  interface Page {
    readonly nodes: readonly { readonly id: string }[];
    readonly pageInfo: { readonly startCursor: string; readonly endCursor: string };
  }

  for (const orderBy of INDEXED)
    for (const side of ["after", "before"] as const)
      for (const way of ["as plain reads", "as planned by Grafast"] as const)
        it(`read no more rows than they give, ${JSON.stringify(orderBy)} ${side} a place far away, ${way}`, async () => {
          const more = way === "as plain reads" ? "" : "other: __typename @include(if: true)";
          const count = side === "after" ? "first" : "last";
          const query = `query ($orderBy: JSON, $count: Int, $place: String) {
            pageDeep(orderBy: $orderBy, ${count}: $count, ${side}: $place) { nodes { id } pageInfo { startCursor endCursor } } ${more} }`;
          const page = async (variables: object): Promise<Page> => {
            const { body } = await gateway.graphql("captain", "geo", query, { orderBy, ...variables });
            assert.equal(body.errors, undefined, JSON.stringify(body.errors));
            return body.data.pageDeep as Page;
          };
          for (const depth of [9, 6000]) {
            let place: string | undefined;
            // the last page begins among the nulls or right before them
            for (let pages = 0; pages < 2; pages++) {
              const { startCursor, endCursor } = (await page({ count: depth, place })).pageInfo;
              place = side === "after" ? endCursor : startCursor;
            }
            let given: Page | undefined;
            const read = await rowsRead("deep", OF_PAGE, async () => (given = await page({ count: LIMIT, place })));
            assert.equal(given!.nodes.length, LIMIT);
            assert.ok(read <= 3 * (LIMIT + 1), `${read} rows were read for ${LIMIT}, from ${2 * depth} on`);
          }
        });

  for (const sortby of ["size", "-size", "rank,-size", "kind,size", "share", "-share"])
    it(`of features read no more rows than they give, sortby=${sortby}`, async () => {
      const items = `/collections/geo.deep/items?sortby=${encodeURIComponent(sortby)}`;
      const beginning = await gateway.get(`${items}&limit=${LIMIT}`);
      for (const offset of [40, ROWS / 2, ROWS - 3 * LIMIT]) {
        const { json } = await gateway.get(`${items}&limit=${LIMIT}&offset=${offset}`);
        for (const rel of ["next", "prev"]) {
          const href = hrefOf(json.links, rel);
          let given: (string | number)[] = [];
          const read = await rowsRead("deep", OF_PAGE, async () => (given = idsOf(await gateway.get(href))));
          assert.equal(given.length, LIMIT);
          assert.ok(read <= 3 * (LIMIT + 1), `${read} rows were read for ${LIMIT}, ${rel} of ${offset}`);
        }
      }
      assert.equal(idsOf(beginning).length, LIMIT);
    });
});
