import assert from "node:assert/strict";
import type { Database, Identity } from "../../server/kernel/database/database.ts";
import type { GatewayError } from "../../server/ground/errors.ts";
import { createLog } from "../../server/ground/log.ts";
import { findAccount } from "../../server/kernel/identity/tokens.ts";
import { Rights, RightsChanged, type Asker } from "../../ogc/collections/access.ts";
import { Collections } from "../../ogc/collections/catalogue.ts";
import type { Collection } from "../../ogc/collections/collections.ts";
import { openAsGateway, testDatabase, type TestDatabase } from "../support/databases.ts";

describe("the known rights of a caller", () => {
  let test: TestDatabase;
  let database: Database;
  let asker: Asker;
  let asked = 0;
  let sites: Collection;
  let roads: Collection;
  const rights = new Rights();
  const set = (privilege: string): Promise<unknown> =>
    test.client.query("select portolan.set_privilege('gis.sites', 'alice', $1)", [privilege]);
  const hasCode = (code: string) => (error: unknown) => (error as GatewayError).code === code;

  before(async () => {
    test = await testDatabase({ kind: "portolan" });
    await test.client.query(`
create schema gis;
create table gis.sites (id int primary key, note text, geom geometry(Point, 4326));
create table gis.roads (id int primary key, geom geometry(LineString, 4326));
select portolan.create_user('alice', null);
select portolan.set_privilege('gis.roads', 'alice', 'read');`);
    database = openAsGateway(test, { poolSize: 2 });
    const account = (await findAccount(database, "alice"))!;
    const identity: Identity = {
      database: test.name,
      name: "alice",
      role: account.role,
      roleMade: account.roleMade,
      claims: {},
    };
    const counted: Database = {
      ...database,
      withIdentity: (...given) => {
        asked++;
        return database.withIdentity(...given);
      },
    };
    asker = { database: counted, identity, context: { service: "ogc", address: "192.0.2.7", readOnly: true } };
    const collections = await new Collections({
      schemasOf: () => ["gis"],
      crs: [],
      rasters: { directory: undefined, log: createLog("silent") },
    }).of(database);
    sites = collections.get("gis.sites")!;
    roads = collections.get("gis.roads")!;
  });
  after(async () => {
    await database.close();
    await test.drop();
  });
  beforeEach(() => set("read"));

  it("are read the first time; then they are expected, and read again to confirm them", async () => {
    asked = 0;
    assert.deepEqual((await rights.of(asker, [sites], "apart")).collections, [sites]);
    assert.equal(asked, 1);
    const again = await rights.of(asker, [sites], "apart");
    assert.deepEqual(again.collections, [sites]);
    assert.equal(asked, 1);
    await again.confirm();
    assert.equal(asked, 2);
    await rights.of(asker, [sites], undefined);
    assert.equal(asked, 3);
  });

  it("come from one query for all earlier callers, and for no later one", async () => {
    await rights.of(asker, [sites], "apart");
    asked = 0;
    const waiting = await Promise.all(Array.from({ length: 8 }, () => rights.of(asker, [sites], "apart")));
    const first = waiting[0]!.confirm();
    const late = await rights.of(asker, [sites], "apart");
    await first;
    await set("none");
    await Promise.all(waiting.map((each) => each.confirm()));
    assert.equal(asked, 1, "asked before it was taken away, and after all of them came");
    await assert.rejects(late.confirm(), RightsChanged);
    assert.equal(asked, 2);
  });

  it("leave the next query to those who wait for it, if they are known already", async () => {
    await rights.of(asker, [sites], "apart");
    asked = 0;
    const [one, two] = [await rights.of(asker, [sites], "apart"), await rights.of(asker, [sites], "apart")];
    await one.confirm();
    const three = await rights.of(asker, [sites], "apart");
    await two.confirm();
    const four = await rights.of(asker, [sites], "apart");
    await three.confirm();
    await four.confirm();
    assert.equal(asked, 2);
  });

  it("are read separately for other collections, and for callers from elsewhere", async () => {
    await rights.of(asker, [sites, roads], "apart");
    asked = 0;
    const elsewhere = { ...asker, context: { ...asker.context, address: "192.0.2.8" } };
    const each = [
      await rights.of(asker, [sites], "apart"),
      await rights.of(asker, [roads], "apart"),
      await rights.of(asker, [sites, roads], "apart"),
      await rights.of(elsewhere, [sites], "apart"),
    ];
    await Promise.all(each.map((one) => one.confirm()));
    assert.equal(asked, 4);
  });

  it("are not confirmed after a change, and are read the next time", async () => {
    await rights.of(asker, [sites, roads], "apart");
    const expected = await rights.of(asker, [sites, roads], "apart");
    await set("none");
    await assert.rejects(expected.confirm(), RightsChanged);
    await assert.rejects(rights.of(asker, [sites, roads], "apart"), hasCode("FORBIDDEN"));
    await test.client.query(`grant select (id, geom) on gis.sites to "${asker.identity.role}"`);
    const { collections } = await rights.of(asker, [sites], "apart");
    assert.deepEqual(
      collections[0]?.columns.map(({ name }) => name),
      ["id", "geom"],
    );
    assert.equal(
      (await rights.of(asker, [sites], undefined)).collections[0],
      collections[0],
      "the same as the last time",
    );
  });

  it("are none for a dropped relation", async () => {
    const gone = { ...sites, id: "gis.gone", oid: 4_000_000_000 };
    await assert.rejects(rights.of(asker, [gone], "apart"), hasCode("COLLECTION_NOT_FOUND"));
  });
});
