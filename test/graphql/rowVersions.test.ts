import assert from "node:assert/strict";
import pg from "pg";
import { until } from "../support/until.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";

type Rows = readonly Readonly<Record<string, unknown>>[];

describe("graphql: versions of rows", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create table world.owners (id int primary key, name text);
create table world.ships (id int primary key, name text, tons int, owner_id int references world.owners, secret int default 1);
create table world.parted (id int, region int, note text, primary key (id, region)) partition by list (region);
create table world.parted_1 partition of world.parted for values in (1);
create table world.parted_2 partition of world.parted for values in (2);
create view world.fleet as select id, name, tons from world.ships;
comment on view world.fleet is '@primaryKey id';
create table world.capped (id int primary key, n int);
comment on table world.capped is '@limit 5 50 maxAffected 3';
insert into world.owners values (1, 'Ann');
insert into world.ships select i, 'ship ' || i, i, 1 from generate_series(1, 20) i;
insert into world.parted values (1, 1, 'a'), (2, 2, 'b');
insert into world.capped select i, i from generate_series(1, 20) i;
select portolan.create_user('narrow', 'secret');
select portolan.set_privilege(format('world.%s', t)::regclass, 'guest', 'write') from unnest('{owners,ships,parted,fleet,capped}'::text[]) t;
do $$ begin
  execute format('grant usage on schema world to %I', 'narrow@' || current_database());
  execute format('grant select (id, name, tons), update (name, tons), delete on world.ships to %I', 'narrow@' || current_database());
end $$;`),
    });
  });
  after(() => gateway.close());

  type Answer = { data: Record<string, Rows> | null; errors?: { message: string; extensions: { code: string } }[] };
  const ask = async (query: string, variables?: object, account = "guest"): Promise<Answer> =>
    (await gateway.graphql(account, "world", query, variables)).body as Answer;
  const codeOf = async (query: string, variables?: object, account = "guest"): Promise<string | undefined> => {
    const { data, errors } = await ask(query, variables, account);
    if (errors) assert.equal(data, null);
    return errors?.[0]?.extensions.code;
  };
  const versionOf = async (table: string, id: string, account = "guest"): Promise<string> => {
    const { data, errors } = await ask(`query ($id: ID) { get${table}(id: $id) { _version } }`, { id }, account);
    assert.equal(errors, undefined, JSON.stringify(errors));
    return data![`get${table}`]![0]!["_version"] as string;
  };
  const rename = `mutation ($id: ID, $where: JSON, $ifMatch: String, $data: JSON) {
    updateShips(id: $id, where: $where, ifMatch: $ifMatch, data: $data) { name _version } }`;

  it("differ after each change, and are the same in a list, beneath a parent and after the write", async () => {
    const first = await versionOf("Ships", "1");
    const { data } = await ask(`{ getOwners { ships(where: {id: 1}) { _version owners { _version } } _version } }`);
    assert.equal((data!["getOwners"]![0]!["ships"] as Rows)[0]!["_version"], first);
    const written = await ask(rename, { id: 1, data: { name: "new" } });
    const second = written.data!["updateShips"]![0]!["_version"] as string;
    assert.notEqual(second, first);
    assert.equal(await versionOf("Ships", "1"), second);
    const twice = await ask(
      `mutation { a: updateShips(id: 1, data: {tons: 1}) { _version } b: updateShips(id: 1, data: {tons: 1}) { _version } }`,
    );
    assert.notEqual(twice.data!["a"]![0]!["_version"], twice.data!["b"]![0]!["_version"]);
  });

  for (const [account, table, id, data] of [
    ["guest", "Ships", "2", { name: "other" }],
    ["guest", "Parted", "1,1", { note: "other" }],
    ["guest", "Fleet", "3", { name: "other" }],
    ["narrow", "Ships", "4", { name: "other" }],
  ] as const)
    it(`let one of two writers through if both read the same row: ${table} by ${account}`, async () => {
      const mutation = `mutation ($id: ID, $data: JSON, $ifMatch: String) { update${table}(id: $id, data: $data, ifMatch: $ifMatch) { _version } }`;
      const ifMatch = await versionOf(table, id, account);
      const first = await ask(mutation, { id, data, ifMatch }, account);
      assert.equal(first.errors, undefined, JSON.stringify(first.errors));
      assert.equal(
        await codeOf(
          mutation,
          { id, data: Object.fromEntries(Object.keys(data).map((name) => [name, "lost"])), ifMatch },
          account,
        ),
        "CONFLICT",
      );
      const second = first.data![`update${table}`]![0]!["_version"] as string;
      assert.equal(await versionOf(table, id, account), second);
      const remove = `mutation ($id: ID, $ifMatch: String) { delete${table}(id: $id, ifMatch: $ifMatch) { id _version } }`;
      assert.equal(await codeOf(remove, { id, ifMatch }, account), "CONFLICT");
      const removed = await ask(remove, { id, ifMatch: second }, account);
      assert.equal(removed.errors, undefined, JSON.stringify(removed.errors));
      assert.equal(removed.data![`delete${table}`]!.length, 1);
      assert.equal(await codeOf(remove, { id, ifMatch: second }, account), "CONFLICT");
    });

  for (const [account, table] of [
    ["guest", "Ships"],
    ["guest", "Fleet"],
    ["narrow", "Ships"],
  ] as const)
    it(`are compared for each of several rows with separate values, all or none: ${table} by ${account}`, async () => {
      const mutation = `mutation ($objects: [JSON]) { update${table}(objects: $objects) { id name tons _version } }`;
      const read = async (): Promise<Rows> =>
        (await ask(`{ rows: get${table}(where: {id: {gte: 12}}) { id name tons _version } }`, {}, account)).data![
          "rows"
        ]!;
      const before = await read();
      const objects = before.map(({ id, _version: ifMatch }, index) => ({
        id,
        ifMatch,
        data: { name: `${account}, ${table} "${index}" {}` },
      }));
      objects[1] = { ...objects[1]!, data: { tons: null } } as never;
      objects.reverse();
      const { data, errors } = await ask(mutation, { objects }, account);
      assert.equal(errors, undefined, JSON.stringify(errors));
      const written = before.map((row, index) => ({
        ...row,
        ...(index === 1 ? { tons: null } : { name: `${account}, ${table} "${index}" {}` }),
      }));
      const plain = (rows: Rows) => rows.map(({ _version, ...row }) => row);
      assert.deepEqual(plain(data![`update${table}`]!), plain(written).reverse(), "in the order in which they came");
      assert.deepEqual(data![`update${table}`], [...(await read())].reverse(), "with the versions of now");
      const again = await ask(mutation, { objects: [{ id: 12, data: { name: "lost" } }, objects[1]] }, account);
      assert.equal(again.errors?.[0]?.extensions.code, "CONFLICT");
      assert.match(again.errors?.[0]?.message ?? "", /^objects\.1: ifMatch: /);
      assert.deepEqual(plain(await read()), plain(written));
    });

  it("are not needed for several rows: a refused one is reported with its place", async () => {
    const mutation =
      "mutation ($objects: [JSON], $most: Int) { updateCapped(objects: $objects, maxAffected: $most) { id n } }";
    const ids = async (objects: unknown, most?: number): Promise<unknown> => {
      const { data, errors } = await ask(mutation, { objects, most });
      return errors ? `${errors[0]!.extensions.code} ${errors[0]!.message}` : data!["updateCapped"];
    };
    assert.deepEqual(await ids([]), []);
    assert.deepEqual(
      await ids([
        { id: 2, change: { n: { inc: 5 } } },
        { id: "99", data: { n: 1 } },
        { id: "2", data: { n: 7 } },
      ]),
      [
        { id: "2", n: 7 },
        { id: "2", n: 7 },
      ],
    );
    const one = { id: 1, data: { n: 100 } };
    for (const [objects, refusal] of [
      [[one, null], /^BAD_USER_INPUT objects\.1: must be an object/],
      [[one, { data: { n: 1 } }], /^BAD_USER_INPUT objects\.1: id: is missing/],
      [[one, { id: 1 }], /^BAD_USER_INPUT objects\.1: data: is missing/],
      [[one, { ...one, where: {} }], /^BAD_USER_INPUT objects\.1: unknown member "where"/],
      [[one, { id: 1, data: { m: 1 } }], /^BAD_USER_INPUT objects\.1: data: unknown column "m"/],
      [[one, { id: 1, data: { n: "many" } }], /^BAD_USER_INPUT objects\.1: data\.n: /],
      [[one, { id: 1, data: { id: 2 } }], /^CONFLICT objects\.1: duplicate key/],
      [[one, one, one, one], /^LIMIT_EXCEEDED More rows/],
      [Array(10_001).fill(one), /^LIMIT_EXCEEDED objects: more than 10000 rows/],
    ] as const)
      assert.match(String(await ids(objects)), refusal);
    assert.match(String(await ids([one, one], 1)), /^LIMIT_EXCEEDED/);
    const both = await ask("mutation { updateCapped(id: 1, objects: [{id: 1, data: {n: 1}}]) { id } }");
    assert.equal(both.errors?.[0]?.extensions.code, "BAD_USER_INPUT");
    assert.deepEqual((await ask("{ getCapped(id: 1) { n } }")).data, { getCapped: [{ n: 1 }] });
  });

  it("are compared after waiting for another's lock of the row", async () => {
    const ifMatch = await versionOf("Ships", "5");
    const other = new pg.Client({ connectionString: gateway.database.url });
    await other.connect();
    try {
      await other.query("begin; update world.ships set tons = 99 where id = 5");
      const waiting = codeOf(rename, { id: 5, ifMatch, data: { name: "lost" } });
      for (;;) {
        const { rows } = await gateway.database.client.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and query like '%ships%'",
        );
        if (rows.length > 0) break;
      }
      await other.query("commit");
      assert.equal(await waiting, "CONFLICT");
    } finally {
      await other.end();
    }
    const { data } = await ask(`{ getShips(id: 5) { name tons } }`);
    assert.deepEqual(data, { getShips: [{ name: "ship 5", tons: 99 }] });
  });

  it("of random writers: as many updates succeed as there are versions", async () => {
    const add = async (): Promise<void> => {
      for (;;) {
        const { data } = await ask("{ getShips(id: 6) { tons _version } }");
        const { tons, _version: ifMatch } = data!["getShips"]![0]! as { tons: number; _version: string };
        const code = await codeOf(rename, { id: 6, ifMatch, data: { tons: tons + 1 } });
        if (code === undefined) return;
        assert.equal(code, "CONFLICT");
      }
    };
    await Promise.all(
      Array.from({ length: 4 }, async () => {
        for (let i = 0; i < 5; i++) await add();
      }),
    );
    const { data } = await ask("{ getShips(id: 6) { tons } }");
    assert.deepEqual(data, { getShips: [{ tons: 6 + 20 }] });
  });

  it("a where that does not match is no conflict; a missing id, and an impossible version, are errors", async () => {
    const ifMatch = await versionOf("Ships", "7");
    const no = await ask(rename, { id: 7, where: { tons: 0 }, ifMatch, data: { name: "x" } });
    assert.deepEqual(no, { data: { updateShips: [] } });
    assert.equal(await codeOf(rename, { where: { id: 7 }, ifMatch, data: { name: "x" } }), "BAD_USER_INPUT");
    const ofAnotherTable = await versionOf("Capped", "7"); // which was written at the same place by the same transaction
    for (const wrong of [ofAnotherTable, "", "x", "0-(0,0)-0", "0".repeat(32), "'; drop table world.ships; --"])
      assert.equal(await codeOf(rename, { id: 7, ifMatch: wrong, data: { name: "x" } }), "CONFLICT", wrong);
    assert.equal((await ask("{ getShips(id: 7) { name } }")).data!["getShips"]![0]!["name"], "ship 7");
  });

  it("of earlier rows are valid as long as the row is the same", async () => {
    const { client } = gateway.database;
    await client.query("select portolan.enable_versioning('world.owners')");
    const { rows } = await client.query<{ at: string }>("select to_json(clock_timestamp()) #>> '{}' as at");
    const query = `query ($asOf: DateTime) { getOwners(asOf: $asOf) { _version } }`;
    let then = await ask(query, { asOf: rows[0]!.at });
    for (let tries = 0; then.errors && tries < 100; tries++) then = await ask(query, { asOf: rows[0]!.at }); // the schema is built anew after DDL
    const ifMatch = then.data!["getOwners"]![0]!["_version"];
    const mutation = `mutation ($ifMatch: String) { updateOwners(id: 1, ifMatch: $ifMatch, data: {name: "Eve"}) { name } }`;
    assert.equal(await codeOf(mutation, { ifMatch }), undefined);
    assert.equal(await codeOf(mutation, { ifMatch }), "CONFLICT");
  });

  it("a mutation with an Idempotency-Key takes effect once, also beside one that still runs", async () => {
    const { client } = gateway.database;
    await client.query(`
create function world.wait() returns trigger language plpgsql security definer as $$ begin perform pg_advisory_xact_lock_shared(77); return new; end $$;
create trigger wait before insert on world.ships for each row when (new.name = 'slow') execute function world.wait()`);
    const insert = async (key: string, id: number, account = "guest") => {
      const { body } = await gateway.http
        .post("/api/graphql/schema/world")
        .set("Authorization", `Bearer ${await gateway.token(account)}`)
        .set("Idempotency-Key", key)
        .send({ query: `mutation { insertShips(data: {id: ${id}, name: "slow"}) { id } }` });
      return (body as Answer).errors?.[0]?.extensions.code;
    };
    const waiting = async (count: number) =>
      until(async () => {
        const { rows } = await client.query("select count(*)::int as n from pg_locks where not granted");
        return rows[0].n >= count;
      });
    await client.query("select pg_advisory_lock(77)");
    const first = insert("once", 101);
    await waiting(1);
    const second = insert("once", 102);
    await waiting(2);
    await client.query("select pg_advisory_unlock(77)");
    assert.deepEqual([await first, await second, await insert("once", 103)], [undefined, "REPEATED", "REPEATED"]);
    assert.deepEqual([await insert("failed", 101), await insert("failed", 104)], ["CONFLICT", undefined]);
    assert.equal(await insert("once", 105, "captain"), undefined, "keys are the account's");
    const { rows } = await client.query("select id from world.ships where id > 100 order by id");
    assert.deepEqual(
      rows.map(({ id }) => id),
      [101, 104, 105],
    );
    assert.equal(await insert("x".repeat(256), 106), "BAD_USER_INPUT");
    await client.query("delete from world.ships where id > 100");
  });

  describe("maxAffected", () => {
    const update = `mutation ($where: JSON, $most: Int) { updateShips(where: $where, maxAffected: $most, data: {tons: 0}) { id } }`;

    it("is LIMIT_EXCEEDED when exceeded, and nothing of the request is written", async () => {
      const where = { id: { gt: 9 } };
      assert.equal(await codeOf(update, { where, most: 10 }), "LIMIT_EXCEEDED");
      assert.equal(
        await codeOf(
          `mutation { a: updateShips(id: 8, data: {tons: 0}) { id } deleteShips(where: {id: {gt: 9}}, maxAffected: 0) { id } }`,
        ),
        "LIMIT_EXCEEDED",
      );
      const { rows } = await gateway.database.client.query("select count(*)::int as n from world.ships where tons = 0");
      assert.deepEqual(rows, [{ n: 0 }]);
      assert.equal(await codeOf(update, { where, most: 11 }), undefined);
      assert.equal(await codeOf(update, { where, most: -1 }), "BAD_USER_INPUT");
      assert.equal(await codeOf(update, { where: { id: 99 }, most: 0 }), undefined);
    });

    it("of a table comes from its comment, and an argument can only lower it", async () => {
      const many = `mutation ($where: JSON, $most: Int) { updateCapped(where: $where, data: {n: 0}, maxAffected: $most) { id } }`;
      assert.equal(await codeOf(many, { where: { id: { lt: 5 } } }), "LIMIT_EXCEEDED");
      assert.equal(await codeOf(many, { where: { id: { lt: 5 } }, most: 100 }), "LIMIT_EXCEEDED");
      assert.equal(await codeOf(many, { where: { id: { lt: 4 } } }), undefined);
      assert.equal(await codeOf(many, { where: { id: { lt: 4 } }, most: 2 }), "LIMIT_EXCEEDED");
      assert.equal((await ask("{ getCapped { id } }")).data!["getCapped"]!.length, 5);
      const over = await ask("{ getCapped(limit: 51) { id } }");
      assert.equal(over.errors?.[0]?.extensions.code, "BAD_USER_INPUT");
    });
  });
});
