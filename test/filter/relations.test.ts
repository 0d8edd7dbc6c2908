import assert from "node:assert/strict";
import type pg from "pg";
import { testDatabase } from "../support/databases.ts";
import { makeTypes, matching, shapeOf, TYPES } from "./fixtures.ts";
import type { Relation, Shape } from "../../server/filter/tree.ts";

const { int4, text, citext } = TYPES;

const boss: Relation = {
  name: "boss",
  get target() {
    return people;
  },
  on: [["boss_id", "id"]],
};
const reports: Relation = {
  name: "reports",
  get target() {
    return people;
  },
  on: [["id", "boss_id"]],
};
const homes: Relation = {
  name: "homes",
  get target() {
    return homesShape;
  },
  on: [
    ["country", "country"],
    ["town", "town"],
  ],
};

const people: Shape = shapeOf(
  "shop",
  `people "of" the $1 house`,
  [
    { name: "id", type: int4 },
    { name: "boss_id", type: int4 },
    { name: "country", type: text },
    { name: "town", type: citext },
  ],
  () => [boss, reports, homes],
);
const homesShape: Shape = shapeOf("shop", "homes", [
  { name: "country", type: text },
  { name: "town", type: citext },
  { name: "rooms", type: int4 },
]);

describe("related rows", () => {
  let database: Awaited<ReturnType<typeof testDatabase>>;
  let client: pg.Client;
  before(async () => {
    database = await testDatabase();
    ({ client } = database);
    await makeTypes(client);
    await client.query(`
      create table shop."people ""of"" the $1 house" (id int4 primary key, boss_id int4, country text, town ext.citext);
      insert into shop."people ""of"" the $1 house" values
        (1, null, 'DE', 'Ulm'), (2, 1, 'DE', 'ULM'), (3, 1, 'FR', 'Ulm'), (4, 2, 'FR', null);
      create table shop.homes (country text, town ext.citext, rooms int4);
      insert into shop.homes values ('DE', 'ulm', 3), ('DE', 'ulm', 5), ('FR', 'Paris', 2)`);
  });
  after(() => database.drop());

  const cases: readonly (readonly [object, number[]])[] = [
    [{ boss: { id: 1 } }, [2, 3]],
    [{ boss: {} }, [2, 3, 4]],
    [{ boss: null }, [1]],
    [{ reports: { country: "FR" } }, [1, 2]],
    [{ reports: null }, [3, 4]],
    [{ not: { reports: { country: "FR" } } }, [3, 4]],
    [{ boss: { boss: { id: 1 } } }, [4]],
    [{ boss: { boss: { boss: {} } } }, []],
    [{ boss: { reports: { id: 3 } } }, [2, 3]],
    [{ homes: { rooms: { gt: 4 } } }, [1, 2]],
    [{ homes: { rooms: 3, or: [{ rooms: 5 }] } }, []],
    [{ or: [{ homes: {} }, { boss: { id: 2 } }] }, [1, 2, 4]],
    [{ boss: { or: [] } }, []],
  ];
  for (const [where, ids] of cases) {
    it(`${JSON.stringify(where)} keeps ${ids.join(", ") || "nothing"}`, async () => {
      assert.deepEqual(await matching(client, where, people), ids);
    });
  }
});
