/** Random pages over random tables, against slices of the whole list, which differently written SQL puts in order. */
import assert from "node:assert/strict";
import type pg from "pg";
import { makeTables, type RandomTable, type Run } from "./randomAggregates.ts";
import { Random } from "../support/random.ts";

interface Page {
  readonly nodes: readonly { readonly id: string }[];
  readonly edges: readonly { readonly cursor: string; readonly node: { readonly number: string } }[];
  readonly pageInfo: Readonly<Record<"startCursor" | "endCursor", string | null>> &
    Readonly<Record<"hasNextPage" | "hasPreviousPage", boolean>>;
  readonly totalCount: number;
}

const QUERY = `query ($where: JSON, $orderBy: JSON, $distinctOn: [String!], $first: Int, $after: String, $last: Int, $before: String) {
  page: pageThings(where: $where, orderBy: $orderBy, distinctOn: $distinctOn, first: $first, after: $after, last: $last, before: $before) {
    nodes { id } edges { cursor node { number: id } } pageInfo { hasNextPage hasPreviousPage startCursor endCursor } totalCount } }`;

interface ListOrder {
  readonly orderBy: unknown;
  /** Columns in which each value occurs once. */
  readonly distinctOn: readonly string[] | undefined;
  readonly sql: string;
}

/** An order by columns of the table and of its parent, the first perhaps distinct, and the same in SQL. */
function orderOf(random: Random, [kinds, things]: readonly RandomTable[]): ListOrder {
  const own = [...things!.columns.map(({ name }) => ({ name, sql: `t.${name}` })), { name: "id", sql: "t.id" }];
  const ofParent = kinds!.columns.map(({ name }) => ({ name: `kinds.${name}`, sql: `p.${name}` }));
  const terms = random.some([...own, ...ofParent], 3).map((term) => ({
    ...term,
    direction: random.of(["asc", "desc", "asc_nulls_first", "desc_nulls_last"]),
  }));
  const last = terms[0]?.direction.startsWith("desc") ? "desc" : "asc";
  const first = terms.findIndex(({ name }) => name.includes("."));
  const leading = terms.slice(0, first < 0 ? terms.length : first).map(({ name }) => name);
  const more =
    leading.length < terms.length ? [] : own.filter(({ name }) => !leading.includes(name)).slice(0, random.below(2));
  const distinctOn = [...more.map(({ name }) => name), ...leading.slice(0, more.length > 0 ? 3 : random.below(3))];
  return {
    orderBy: terms.map(({ name, direction }) => ({ [name]: direction })),
    distinctOn: distinctOn.length > 0 ? distinctOn : undefined,
    sql: [
      ...terms.map(({ sql, direction }) => `${sql} ${direction.replaceAll("_", " ")}`),
      ...more.map(({ sql }) => `${sql} ${last}`),
      `t.id ${last}`,
    ].join(", "),
  };
}

/** The keys of a list in its order, with the rows of each value numbered. */
function listOf({ distinctOn, sql }: ListOrder, least: number): string {
  const alike = distinctOn ? `partition by ${distinctOn.map((name) => `t.${name}`).join(", ")}` : "partition by t.id";
  return `select id::text from (
    select t.id, row_number() over (${alike} order by ${sql}) as nth, row_number() over (order by ${sql}) as place
    from app.things t left join app.kinds p on p.id = t.kind where t.id > ${least}) n where nth = 1 order by place`;
}

/** Walks at least `count` pages forward or backward, in each way in turn. `reload` announces new tables. */
export async function checkPages(
  client: pg.Client,
  ways: readonly Run[],
  { seed, count, reload }: { readonly seed: number; readonly count: number; readonly reload: () => Promise<unknown> },
): Promise<number> {
  const random = new Random(seed);
  let pages = 0;
  while (pages < count) {
    const tables = await makeTables(client, random);
    await reload();
    for (let round = 0; round < 8; round++)
      pages += await walk(client, ways, { random, tables, told: `seed ${seed}, page ${pages}` });
  }
  return pages;
}

/** One list from end to end. */
async function walk(
  client: pg.Client,
  ways: readonly Run[],
  { random, tables, told }: { readonly random: Random; readonly tables: readonly RandomTable[]; readonly told: string },
): Promise<number> {
  const order = orderOf(random, tables);
  const least = random.next() < 0.4 ? random.below(30) : -1;
  const where = least < 0 ? undefined : { id: { gt: least } };
  const { rows } = await client.query<{ id: string }>(listOf(order, least));
  const all = rows.map(({ id }) => id);
  const size = 1 + random.below(9);
  const isForth = random.next() < 0.5;
  let cursor: string | null = null;
  let seen = 0;
  for (let pages = 1; ; pages++) {
    const variables: Record<string, unknown> = {
      ...{ where, orderBy: order.orderBy, distinctOn: order.distinctOn },
      ...(isForth ? { first: size, after: cursor } : { last: size, before: cursor }),
    };
    const text: string = await ways[0]!(QUERY, variables);
    for (const way of ways.slice(1)) assert.deepEqual(JSON.parse(await way(QUERY, variables)), JSON.parse(text), told);
    const { data, errors } = JSON.parse(text) as { data?: { page: Page }; errors?: unknown };
    const said = `${told}: ${JSON.stringify(variables)} order by ${order.sql}\n${text}`;
    assert.equal(errors, undefined, said);
    const { nodes, edges, pageInfo, totalCount } = data!.page;
    const [start, end] = [edges[0]?.cursor ?? null, edges.at(-1)?.cursor ?? null];
    assert.deepEqual([pageInfo.startCursor, pageInfo.endCursor], [start, end], said);
    assert.deepEqual(
      edges.map(({ node }) => node.number),
      nodes.map(({ id }) => id),
      said,
    );
    const expected = isForth
      ? all.slice(seen, seen + size)
      : all.slice(Math.max(0, all.length - seen - size), all.length - seen);
    assert.deepEqual(
      nodes.map(({ id }) => id),
      expected,
      said,
    );
    seen += expected.length;
    const [more, before] = isForth
      ? [pageInfo.hasNextPage, pageInfo.hasPreviousPage]
      : [pageInfo.hasPreviousPage, pageInfo.hasNextPage];
    assert.deepEqual([more, before, totalCount], [seen < all.length, pages > 1, all.length], said);
    if (!more) return pages;
    cursor = isForth ? pageInfo.endCursor : pageInfo.startCursor;
  }
}
