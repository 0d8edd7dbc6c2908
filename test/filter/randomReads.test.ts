/**
 * Pages and lists in random orders that have an index, from random places: their rows, and the number of rows that are
 * read for them.
 */
import assert from "node:assert/strict";
import { hrefOf, idsOf, ogcGateway, type OgcGateway } from "../ogc/support.ts";
import { logPlans, rowsRead } from "../support/plans.ts";
import { sized } from "../support/size.ts";

/** Enough rows that PostgreSQL does not prefer to read the whole table. */
const ROWS = 20_000;
const CASES = sized(60, 5000);
const FEW = 20;
const SEED = Number(process.env["RANDOM_SEED"] ?? 1);

const COLUMNS = ["whole", "word", "share", "moment", "exact", "code", "label"] as const;
type Column = (typeof COLUMNS)[number];
/** As GraphQL writes an order; OGC's `sortby` has only the first two. */
const ORDERS = ["asc", "desc", "asc_nulls_first", "desc_nulls_last"] as const;
type Order = (typeof ORDERS)[number];
interface Term {
  readonly column: Column;
  readonly order: Order;
}

/** SQL names of those that are not columns. */
const VALUES: Partial<Record<Column, string>> = { label: "lower(title)" };

const MODEL = `
create table geo.model (
  id int primary key, whole int, word text collate "C", share float8, moment timestamptz, exact numeric,
  code uuid not null, title text, name text, geom geometry(Point, 4326));
insert into geo.model
select i, nullif(i % 53, 0), case when i % 4 > 0 then 'Word ' || i % 300 end,
  (array['NaN', 'infinity', '-infinity', null, (i % 97)::text])[1 + i % 5]::float8,
  (array['infinity', '-infinity', '0044-03-15 BC', null, '2026-01-01'::timestamptz + i * interval '1 s'])[1 + i % 7 % 5]::timestamptz,
  (array['NaN', null, '1e30', '-0.5', (i % 31)::text])[1 + i % 11 % 5]::numeric,
  md5((i % 5000)::text)::uuid, case when i % 3 > 0 then 'Title ' || i % 700 end, 'Name ' || i, st_setsrid(st_makepoint(i % 180, i % 80), 4326)
from generate_series(1, ${ROWS}) i order by md5(i::text);
create index on geo.model (name text_pattern_ops);
select portolan.set_privilege('geo.model', 'captain', 'read')`;

/** A separate table for each order, with no other index: with several, PostgreSQL's estimates would choose. */
const tableSql = (name: string, order: string): string => `
create table geo.${name} (like geo.model, primary key (id));
insert into geo.${name} select * from geo.model;
create function geo.${name}_label(geo.${name}) returns text language sql immutable as $$ select lower($1.title) $$;
create index on geo.${name} (${order});
analyze geo.${name};
select portolan.set_authentication('geo.${name}', 'None'), portolan.set_privilege('geo.${name}', 'captain', 'read')`;

/** Numbers from 0 to below 1, the same for the same seed (mulberry32). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const random = generator(SEED);
const below = (end: number): number => Math.floor(random() * end);
const oneOf = <Of>(list: readonly Of[]): Of => list[below(list.length)]!;

/** One to three terms of different columns. */
function randomOrder(orders: readonly Order[]): Term[] {
  const left = [...COLUMNS];
  return Array.from({ length: 1 + below(3) }, () => ({
    column: left.splice(below(left.length), 1)[0]!,
    order: oneOf(orders),
  }));
}

const inSql = ({ column, order }: Term): string =>
  `${VALUES[column] ?? column} ${order.replace(/_(?=nulls)/, " ").replace("_", " ")}`;
/** Adds the key, which pages order in the direction of the first term. */
const sqlOf = (terms: readonly Term[]): string =>
  [...terms.map((term) => `(${inSql(term).replace(" ", ") ")}`), `id ${directionOf(terms)}`].join(", ");
const directionOf = ([first]: readonly Term[]): "asc" | "desc" => (first?.order.startsWith("desc") ? "desc" : "asc");

describe(`pages and lists in random orders of an index, seed ${SEED}`, function () {
  this.timeout(sized(300_000, 7_200_000));
  let gateway: OgcGateway;
  const plain = ["asc", "desc"] as const;
  const orders: readonly (readonly Term[])[] = [
    ...Array.from({ length: sized(8, 40) }, () => randomOrder(plain)),
    ...Array.from({ length: sized(8, 40) }, () => randomOrder(ORDERS)),
  ];
  /** The columns by which features can be sorted; the key ascends there. */
  const isPlain = (terms: readonly Term[]): boolean =>
    directionOf(terms) === "asc" &&
    terms.every(({ column, order }) => column !== "label" && (order === "asc" || order === "desc"));
  /** The keys in each order. */
  const keys = new Map<readonly Term[], readonly number[]>();

  before(async () => {
    gateway = await ogcGateway({
      prepare: async (database) => {
        await database.client.query(MODEL);
        for (const terms of orders) {
          await database.client.query(tableSql(tableOf(terms), sqlOf(terms)));
          const { rows } = await database.client.query<{ id: number }>(
            `select id from geo.${tableOf(terms)} order by ${sqlOf(terms)}`,
          );
          keys.set(
            terms,
            rows.map(({ id }) => id),
          );
        }
        await logPlans(database);
      },
    });
  });
  after(() => gateway.close());

  const tableOf = (terms: readonly Term[]): string => `o${orders.indexOf(terms)}`;
  const orderBy = (terms: readonly Term[]) => terms.map(({ column, order }) => ({ [column]: order }));

  async function ask(query: string, variables: object) {
    const { body } = await gateway.graphql("captain", "geo", query, variables);
    assert.equal(body.errors, undefined, JSON.stringify(body.errors));
    return body.data;
  }

  const MORE = ["", "other: __typename @include(if: true)"]; // the latter is planned by Grafast

  const cursors = new Map<readonly Term[], readonly string[]>();

  /** The keys of all rows in an order. */
  async function cursorsOf(terms: readonly Term[]): Promise<readonly string[]> {
    let known = cursors.get(terms);
    if (known) return known;
    known = [];
    while (known.length < ROWS) {
      const { page } = await ask(
        `query ($orderBy: JSON, $place: String) {
          page: pageO${orders.indexOf(terms)}(orderBy: $orderBy, first: 5000, after: $place) { edges { cursor } } }`,
        { orderBy: orderBy(terms), place: known.at(-1) },
      );
      known = [...known, ...page.edges.map(({ cursor }: { cursor: string }) => cursor)];
    }
    cursors.set(terms, known);
    return known;
  }

  /** A page of GraphQL after or before a row. */
  async function page(terms: readonly Term[], limit: number): Promise<void> {
    const ids = keys.get(terms)!;
    const more = oneOf(MORE);
    const at = below(ids.length);
    const isAfter = random() < 0.5;
    const place = (await cursorsOf(terms))[at]!;
    const [count, side] = isAfter ? ["first", "after"] : ["last", "before"];
    let given: number[] = [];
    await readsFew(terms, limit, async () => {
      const { page } = await ask(
        `query ($orderBy: JSON, $limit: Int, $place: String) {
          page: pageO${orders.indexOf(terms)}(orderBy: $orderBy, ${count}: $limit, ${side}: $place) { nodes { id } } ${more} }`,
        { orderBy: orderBy(terms), limit, place },
      );
      given = page.nodes.map(({ id }: { id: string }) => Number(id));
      return given.length;
    });
    assert.deepEqual(given, isAfter ? ids.slice(at + 1, at + 1 + limit) : ids.slice(Math.max(0, at - limit), at));
  }

  /** A list of GraphQL, from the first on. */
  async function list(terms: readonly Term[], limit: number): Promise<void> {
    const ids = keys.get(terms)!;
    let given: number[] = [];
    await readsFew(terms, limit, async () => {
      const { list } = await ask(
        `query ($orderBy: JSON, $limit: Int) { list: getO${orders.indexOf(terms)}(orderBy: $orderBy, limit: $limit) { id } ${oneOf(MORE)} }`,
        { orderBy: [...orderBy(terms), { id: directionOf(terms) }], limit },
      );
      given = list.map(({ id }: { id: string }) => Number(id));
      return given.length;
    });
    assert.deepEqual(given, ids.slice(0, limit));
  }

  /** The page of features after or before one. */
  async function features(terms: readonly Term[], limit: number): Promise<void> {
    const ids = keys.get(terms)!;
    const sortby = terms.map(({ column, order }) => (order === "desc" ? "-" : "") + column).join();
    const offset = limit + below(ids.length - 3 * limit);
    const items = `/collections/geo.${tableOf(terms)}/items?sortby=${encodeURIComponent(sortby)}&properties=id`;
    const { json } = await gateway.get(`${items}&limit=${limit}&offset=${offset}`);
    const rel = oneOf(["next", "prev"]);
    let given: number[] = [];
    await readsFew(terms, limit, async () => {
      given = idsOf(await gateway.get(hrefOf(json.links, rel))).map(Number);
      return given.length;
    });
    const from = rel === "next" ? offset + limit : Math.max(0, offset - limit);
    assert.deepEqual(given, ids.slice(from, from + limit), `${rel} of ${offset}`);
  }

  /** `read` gives the number of rows that it read; often that is one more, to see whether there is one. */
  async function readsFew(terms: readonly Term[], limit: number, read: () => Promise<number>): Promise<void> {
    let answered = 0;
    const statement = new RegExp(`limit (${limit}|${limit + 1})\\b`);
    const rows = await rowsRead(tableOf(terms), statement, async () => void (answered = await read()));
    // PostgreSQL reads and sorts all rows that differ only in their key, if it expects few of them
    assert.ok(rows <= 3 * Math.max(answered + 1, FEW), `${rows} rows were read for ${answered}`);
  }

  it(`give PostgreSQL's rows, and read at most three times as many, in ${CASES} cases`, async () => {
    for (let number = 0; number < CASES; number++) {
      const way = oneOf([page, page, list, features]);
      const terms = oneOf(way === features ? orders.filter(isPlain) : orders);
      const limit = 5 + below(40);
      try {
        await way(terms, limit);
      } catch (error) {
        throw new Error(`case ${number}, ${way.name} of ${limit} by ${sqlOf(terms)}: ${(error as Error).message}`, {
          cause: error,
        });
      }
    }
  });

  it("read texts with a prefix by a pattern index", async () => {
    const rows = await rowsRead("model", /limit 20[01]\b/, async () => {
      const { getModel } = await ask(
        `{ getModel(where: {name: {like: "Name 1234%"}}, orderBy: {name: "asc"}, limit: 200) { name } }`,
        {},
      );
      assert.equal(getModel.length, 11);
    });
    assert.ok(rows <= 33, `${rows} rows were read`);
  });
});
