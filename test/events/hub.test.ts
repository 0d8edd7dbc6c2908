import assert from "node:assert/strict";
import type { ColumnTexts } from "../../server/events/types.ts";
import { parseFilterText } from "../../server/filter/parseText.ts";
import { filterToPredicate } from "../../server/filter/toPredicate.ts";
import { shapeOf } from "../filter/fixtures.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { testHub, until, type TestHub } from "../support/events.ts";

describe("change events", () => {
  let database: TestDatabase;
  let hub: TestHub;
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await query(`
create schema town;
create table town.parks (id int primary key, name text, area numeric);
select portolan.create_user('alice', null);
select portolan.create_user('nobody', null);
select portolan.set_privilege('town.parks', 'alice', 'read');
select portolan.enable_events('town.parks')`);
    hub = await testHub(database);
  });

  after(async () => {
    await hub.close();
    await database.drop();
  });

  it("inserts, updates and deletes arrive with old and new record, key and position", async () => {
    const alice = await hub.subscribe("alice", "town.parks");
    await query("insert into town.parks values (1, 'Oak', 2.50)");
    await query("update town.parks set name = 'Elm, \"old\"' where id = 1");
    await query("delete from town.parks where id = 1");
    const changes = await alice.expect(3);
    assert.deepEqual(alice.summary, ["INSERT 1", "UPDATE 1", "DELETE 1"]);
    assert.deepEqual({ ...changes[0]?.new?.values }, { id: "1", name: "Oak", area: "2.50" });
    assert.equal(changes[1]?.old?.values["name"], "Oak");
    assert.equal(changes[1]?.new?.values["name"], 'Elm, "old"');
    assert.equal(changes[2]?.old?.row, '(1,"Elm, ""old""",2.50)');
    assert.equal(alice.batches.length, 3);
    assert.equal(new Set(alice.batches.map(({ position }) => position)).size, 3);
    assert.equal(
      alice.batches.every(({ more }) => !more),
      true,
    );
    alice.subscription.close();
  });

  it("a table that was dropped and made again can be subscribed to at once, and each subscriber gets its events", async () => {
    const make = (name: string): string => `
create table town.${name} (id int primary key);
select portolan.set_privilege('town.${name}', 'alice', 'read'), portolan.enable_events('town.${name}')`;
    await query(make("anew"));
    for (let n = 0; n < 5; n++) {
      const known = await Promise.all(Array.from({ length: 3 }, () => hub.subscribe("alice", "town.anew")));
      for (const one of known) one.subscription.close();
      await query(`drop table town.anew; ${n % 2 === 0 ? "" : make("meanwhile")}; ${make("anew")}`);
      const subscribers = await Promise.all(Array.from({ length: 5 }, () => hub.subscribe("alice", "town.anew")));
      await query("insert into town.anew values (1)");
      for (const one of subscribers) {
        await one.expect(1);
        assert.deepEqual([one.summary, one.ended], [["INSERT 1"], undefined]);
        one.subscription.close();
      }
      if (n % 2 === 1) await query("drop table town.meanwhile");
    }
    // renamed away and replaced, then gone for good
    await hub.subscribe("alice", "town.anew").then(({ subscription }) => subscription.close());
    await query(`alter table town.anew rename to old; ${make("anew")}`);
    const replaced = await hub.subscribe("alice", "town.anew");
    await query("insert into town.anew values (7); insert into town.old values (8)");
    await replaced.expect(1);
    assert.deepEqual(replaced.summary, ["INSERT 7"]);
    replaced.subscription.close();
    await query("drop table town.anew; drop table town.old");
    await assert.rejects(hub.subscribe("alice", "town.anew"), { code: "NOT_FOUND" });
  });

  it("earlier commits are not delivered", async () => {
    await query("insert into town.parks values (10, 'before', 1)");
    const alice = await hub.subscribe("alice", "town.parks");
    await query("insert into town.parks values (11, 'after', 1)");
    await alice.expect(1);
    assert.deepEqual(alice.summary, ["INSERT 11"]);
    alice.subscription.close();
  });

  it("a subscription is live as soon as it exists", async () => {
    for (let i = 100; i < 150; i++) {
      const alice = await hub.subscribe("alice", "town.parks");
      await query("insert into town.parks values ($1, 'x', 1)", [i]);
      await alice.expect(1);
      assert.deepEqual(alice.summary, [`INSERT ${i}`]);
      alice.subscription.close();
    }
    await until(async () => /portolan_events_groups\{[^}]*\} 0/.test(await hub.registry.metrics()));
  });

  it("operations, columns and filters limit the events; equal filters are tested once for all", async () => {
    let tests = 0;
    const filter = {
      key: "area > 5",
      columns: ["area"],
      test: (record: ColumnTexts) => (tests++, Number(record["area"]) > 5),
    };
    const deletes = await hub.subscribe("alice", "town.parks", { operations: ["DELETE"] });
    const names = await hub.subscribe("alice", "town.parks", { columns: ["name"], filter });
    const same = await hub.subscribe("alice", "town.parks", { columns: ["name"], filter: { ...filter } });
    const other = await hub.subscribe("alice", "town.parks", { filter, operations: ["INSERT", "UPDATE"] });
    await query("insert into town.parks values (200, 'small', 1), (201, 'big', 9)");
    await query("update town.parks set area = 8 where id = 200");
    await query("update town.parks set area = 2 where id = 201");
    await query("update town.parks set name = 'tiny', area = 1 where id = 201");
    await query("delete from town.parks where id in (200, 201)");
    await deletes.expect(2);
    await names.expect(4);
    assert.deepEqual(deletes.summary, ["DELETE 200", "DELETE 201"]);
    // a row that enters or leaves the filter by an update is an update
    assert.deepEqual(names.summary, ["INSERT 201", "UPDATE 200", "UPDATE 201", "DELETE 200"]);
    assert.deepEqual({ ...names.changes[0]?.new?.values }, { name: "big" });
    assert.deepEqual(other.summary, ["INSERT 201", "UPDATE 200", "UPDATE 201"]);
    assert.equal(names.batches[0], same.batches[0]);
    assert.equal(
      names.batches[0]?.memo("text", () => ({})),
      same.batches[0]?.memo("text", () => ({})),
    );
    assert.ok(tests <= 12, String(tests));
    for (const one of [deletes, names, same, other]) one.subscription.close();
  });

  it("a filter that fails ends the subscriptions that have it, and nobody else's", async () => {
    const filter = {
      key: "bad",
      columns: [],
      test: () => {
        throw new Error("boom");
      },
    };
    const bad = await hub.subscribe("alice", "town.parks", { filter });
    const good = await hub.subscribe("alice", "town.parks");
    await query("insert into town.parks values (300, 'x', 1)");
    await good.expect(1);
    assert.equal(bad.endCode, "BAD_USER_INPUT");
    assert.equal(good.endCode, undefined);
    good.subscription.close();
  });

  it("what `deliver` and `end` throw hurts nobody else", async () => {
    const rude = await hub.subscribe("alice", "town.parks", {
      deliver: () => {
        throw new Error("rude");
      },
      end: () => {
        throw new Error("ruder");
      },
    });
    const good = await hub.subscribe("alice", "town.parks");
    await query("insert into town.parks values (310, 'x', 1)");
    await query("insert into town.parks values (311, 'x', 1)");
    await good.expect(2);
    rude.subscription.close();
    good.subscription.close();
  });

  it("a slow subscriber gets everything in order, one at a time, and delays nobody", async () => {
    const got: string[] = [];
    let busy = 0;
    const others = Promise.withResolvers<void>();
    const slow = await hub.subscribe("alice", "town.parks", {
      deliver: async ({ changes }) => {
        assert.equal(busy++, 0);
        await others.promise;
        busy--;
        got.push(...changes.map(({ key }) => key));
      },
    });
    const quick = await hub.subscribe("alice", "town.parks");
    for (let i = 400; i < 430; i++) await query("insert into town.parks values ($1, 'x', 1)", [i]);
    await query("insert into town.parks select i, 'bulk', 1 from generate_series(10000, 13499) i");
    await quick.expect(3530);
    assert.equal(got.length, 0);
    others.resolve();
    await until(() => got.length >= 3530);
    assert.deepEqual(
      got,
      quick.changes.map(({ key }) => key),
    );
    slow.subscription.close();
    quick.subscription.close();
  });

  it("`after` resumes exactly there, from any position", async () => {
    const first = await hub.subscribe("alice", "town.parks");
    const start = first.subscription.position;
    for (let i = 500; i < 505; i++) await query("insert into town.parks values ($1, 'x', 1), ($1 + 50, 'y', 1)", [i]);
    await first.expect(10);
    const positions = [start, ...first.batches.map(({ position }) => position)];
    for (const [index, after] of positions.entries()) {
      const again = await hub.subscribe("alice", "town.parks", { after });
      await query("insert into town.parks values ($1, 'the last', 1)", [600 + index]);
      await Promise.all([again.expect(10 - 2 * index + index + 1), first.expect(10 + index + 1)]);
      assert.deepEqual(again.summary, first.summary.slice(2 * index));
      assert.equal(again.summary.at(-1), `INSERT ${600 + index}`);
      assert.deepEqual(again.gaps, []);
      again.subscription.close();
    }
    first.subscription.close();
  });

  it("`after` that is no position is refused; one of another life of the database is a gap", async () => {
    for (const after of ["", "x", "1-2", "abc-1-2-3", "ABC-1-2", "'; drop table x--"])
      await assert.rejects(hub.subscribe("alice", "town.parks", { after }), { code: "BAD_USER_INPUT" });
    for (const after of [
      "ffff-1-2",
      `${(await hub.subscribe("alice", "town.parks")).subscription.position.split("-")[0]}-zzzz-1`,
    ]) {
      const alice = await hub.subscribe("alice", "town.parks", { after });
      await until(() => alice.gaps.length === 1);
      assert.equal(alice.gaps[0]?.after, after);
      assert.equal(alice.subscription.position, alice.gaps[0]?.position);
      alice.subscription.close();
    }
  });

  it("describe gives the columns and the key", async () => {
    const alice = await hub.identity("alice");
    assert.deepEqual(await hub.hub.describe({ identity: alice, schema: "town", relation: "parks" }), {
      columns: [
        { name: "id", type: { kind: "integer", schema: "pg_catalog", name: "int4" } },
        { name: "name", type: { kind: "text", schema: "pg_catalog", name: "text" } },
        { name: "area", type: { kind: "bigint", schema: "pg_catalog", name: "numeric" } },
      ],
      keyColumns: ["id"],
    });
    const nobody = await hub.identity("nobody");
    await assert.rejects(hub.hub.describe({ identity: nobody, schema: "town", relation: "parks" }), {
      code: "FORBIDDEN",
    });
  });

  it("describe gives what a filter must know about every type", async () => {
    await database.client.query(`
      create type town.mood as enum ('sad', 'happy');
      create domain town.level as int check (value > 0);
      create table town.types (
        id int primary key, mood town.mood, level town.level, tags text[], spot geometry(point, 4326), hours int4range,
        price money, code char(3), shape town.parks);
      grant select on town.types to "alice@${database.name}";
      select portolan.enable_events('town.types')`);
    const identity = await hub.identity("alice");
    const { columns } = await hub.hub.describe({ identity, schema: "town", relation: "types" });
    assert.deepEqual(Object.fromEntries(columns.map(({ name, type }) => [name, type.kind])), {
      id: "integer",
      mood: "text",
      level: "integer",
      tags: "array",
      spot: "geometry",
      hours: "range",
      price: "bigint",
      code: "text",
      shape: "composite",
    });
    assert.deepEqual(columns[1]?.type.labels, ["sad", "happy"]);
    const filter = filterToPredicate(
      parseFilterText("mood > 'sad' and level >= 2", shapeOf("town", "types", columns))!,
    );
    const alice = await hub.subscribe("alice", "town.types", { filter });
    await database.client.query(
      "insert into town.types (id, mood, level) values (1, 'happy', 1), (2, 'sad', 2), (3, 'happy', 2)",
    );
    await alice.expect(1);
    assert.deepEqual(alice.summary, ["INSERT 3"]);
    alice.subscription.close();
  });

  it("closing the hub ends every subscription with UNAVAILABLE, and refuses new ones", async () => {
    const closing = await testHub(database);
    const alice = await closing.subscribe("alice", "town.parks");
    await closing.hub.close();
    assert.equal(alice.endCode, "UNAVAILABLE");
    await assert.rejects(closing.subscribe("alice", "town.parks"), { code: "UNAVAILABLE" });
    await closing.close();
  });

  it("gives its figures", async () => {
    const text = await hub.registry.metrics();
    for (const name of [
      "read_total",
      "delivered_total",
      "filtered_total",
      "groups",
      "subscriptions",
      "lag_batches",
      "lag_seconds",
      "reader",
    ])
      assert.match(text, new RegExp(`^portolan_events_${name}\\{[^}]*database="${database.name}"`, "m"));
  });
});
