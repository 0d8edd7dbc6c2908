import assert from "node:assert/strict";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { testHub, until, type Subscriber, type TestHub } from "../support/events.ts";

const ACCOUNTS = ["ann", "ben", "cyd", "dan", "eve", "boss"];

describe("who gets an event", () => {
  let database: TestDatabase;
  let hub: TestHub;
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;
  const failure = (promise: Promise<unknown>) =>
    promise.then(
      () => assert.fail("it did not fail"),
      (error: { code: string; message: string }) => error,
    );

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await query("create schema town; create schema hidden");
    for (const account of ACCOUNTS)
      await query(
        "select portolan.create_user($1, null, superuser => $2, properties => jsonb_build_object('team', left($1, 1)))",
        [account, account === "boss"],
      );
    await query(
      "select portolan.create_user('crew', null); select portolan.create_user('fay', null, user_group => 'crew')",
    );
    await query("select portolan.share_with_owner('{town}')");
    hub = await testHub(database);
  });

  after(async () => {
    await hub.close();
    await database.drop();
  });

  /** The keys of the table that an account sees now. */
  async function visible(account: string, table: string): Promise<Set<string>> {
    const identity = await hub.identity(account, { team: account[0] });
    const { rows } = await hub.database.withIdentity(
      identity,
      { service: "events", readOnly: true, address: "10.0.0.1" },
      (transaction) => transaction.query<{ id: string }>({ text: `select id::text from ${table}` }),
    );
    return new Set(rows.map(({ id }) => id));
  }

  it("each of thousands of judgements is the one of row level security for the row itself", async function () {
    this.timeout(240_000);
    await query(`
create table hidden.friends (who text, id int);
insert into hidden.friends select 'ann', i from generate_series(1, 400, 3) i;
create table town.docs (id int primary key, owner text, kind int, area numeric, tags text[], place geometry(Point, 4326), gone int);
alter table town.docs drop gone;
grant usage on schema hidden to public; grant select on hidden.friends to public;
create function hidden.is_fine(d town.docs) returns boolean language sql stable security definer as $$
  select d.kind % 5 = 0 and exists (select from hidden.friends f where f.id = d.id) $$;
alter table town.docs enable row level security;
create policy own on town.docs using (owner = (select (portolan.request_context()).name));
create policy kind on town.docs for select to "crew@${database.name}" using (kind = 3);
create policy friends on town.docs for select using (exists (select from hidden.friends f where f.id = docs.id and f.who = current_setting('portolan.user')));
create policy fine on town.docs for select to "ben@${database.name}" using (hidden.is_fine(docs.*));
create policy team on town.docs for select using ((current_setting('request.jwt.claims')::jsonb ->> 'team') = any (tags));
create policy near on town.docs as restrictive for select using (place is null or place && st_makeenvelope(-100, -80, 100, 80, 4326));
create policy narrow on town.docs as restrictive for select to "dan@${database.name}" using (area < 50 or area is null);
create policy cyd on town.docs as restrictive for all to "cyd@${database.name}" using (portolan.request_context() is not null and kind is distinct from 4);
create policy writes on town.docs for insert with check (true);`);
    for (const account of [...ACCOUNTS, "fay"])
      await query("select portolan.set_privilege('town.docs', $1, 'read')", [account]);
    await query(`
create table town.fences (id int generated always as identity primary key);
select portolan.set_privilege('town.fences', 'ann', 'read');
select portolan.enable_events('town.docs'), portolan.enable_events('town.fences')`);
    const fence = await hub.subscribe("ann", "town.fences");
    let fences = 0;
    const accounts = [...ACCOUNTS, "fay"];
    const subscribers = new Map<string, Subscriber>();
    for (const account of accounts)
      subscribers.set(
        account,
        await hub.subscribe(account, "town.docs", {
          identity: await hub.identity(account, { team: account[0] }),
          address: "10.0.0.1",
        }),
      );
    const row = (i: string): string => `
  ${i}, (array['ann', 'ben', 'cyd', 'dan', 'eve', null])[1 + (random() * 5)::int], (random() * 6)::int,
  case when random() < 0.1 then null else random() * 100 end, array[substr('abcdefx', 1 + (random() * 6)::int, 1), 'q"\\,'],
  case when random() < 0.2 then null else st_setsrid(st_makepoint(random() * 300 - 150, random() * 170 - 85), 4326) end`;
    let judged = 0;
    for (const round of ["a policy takes the whole row", "policies name their columns"]) {
      const steps = [
        `insert into town.docs select ${row("i")} from generate_series(1, 400) i`,
        `update town.docs d set (id, owner, kind, area, tags, place) = (select ${row("d.id")} where d.id is not null)`,
        `update town.docs set kind = kind + 1`,
        `delete from town.docs`,
      ];
      for (const step of steps) {
        const before = new Map(
          await Promise.all(accounts.map(async (one) => [one, await visible(one, "town.docs")] as const)),
        );
        for (const { batches } of subscribers.values()) batches.length = 0;
        await query(step);
        // a later event has come, so each subscriber has got all earlier ones
        await query("insert into town.fences default values");
        await fence.expect(++fences);
        const here = fence.batches.at(-1)?.position;
        await until(() => [...subscribers.values()].every(({ subscription }) => subscription.position === here));
        for (const account of accounts) {
          const was = before.get(account) as Set<string>;
          const is = await visible(account, "town.docs");
          const expected = step.startsWith("insert")
            ? [...is].map((id) => `INSERT ${id}`)
            : step.startsWith("delete")
              ? [...was].map((id) => `DELETE ${id}`)
              : [...new Set([...was, ...is])].map(
                  (id) => `${was.has(id) ? (is.has(id) ? "UPDATE" : "DELETE") : "INSERT"} ${id}`,
                );
          const subscriber = subscribers.get(account) as Subscriber;
          assert.deepEqual([...subscriber.summary].sort(), expected.sort(), `${round}: ${account}: ${step}`);
          assert.equal(subscriber.endCode, undefined);
          judged += step.startsWith("update") ? 800 : 400;
        }
      }
      await query("drop policy if exists fine on town.docs");
    }
    assert.ok(judged >= 20_000, String(judged));
    for (const { subscription } of [fence, ...subscribers.values()]) subscription.close();
  });

  it("an update that shows a row is INSERT, one that hides it DELETE with the old record", async () => {
    await query(`
create table town.notes (id int primary key, owner text, t text);
alter table town.notes enable row level security;
create policy own on town.notes using (owner = (select (portolan.request_context()).name));
select portolan.set_privilege('town.notes', 'ann', 'read'), portolan.set_privilege('town.notes', 'ben', 'read');
select portolan.enable_events('town.notes')`);
    const ann = await hub.subscribe("ann", "town.notes");
    const ben = await hub.subscribe("ben", "town.notes");
    await query("insert into town.notes values (1, 'ann', 'first')");
    await query("update town.notes set owner = 'ben', t = 'second' where id = 1");
    await query("delete from town.notes where id = 1");
    await ann.expect(2);
    await ben.expect(2);
    assert.deepEqual(ann.summary, ["INSERT 1", "DELETE 1"]);
    assert.deepEqual({ ...ann.changes[1]?.old?.values }, { id: "1", owner: "ann", t: "first" });
    assert.equal(ann.changes[1]?.new, undefined);
    assert.deepEqual(ben.summary, ["INSERT 1", "DELETE 1"]);
    assert.equal(ben.changes[0]?.old, undefined);
    assert.deepEqual({ ...ben.changes[0]?.new?.values }, { id: "1", owner: "ben", t: "second" });
  });

  it("columns that the role may not select are left out, and naming one is refused", async () => {
    await query(`
create table town.people (id int primary key, name text, salary int);
grant usage on schema town to "ann@${database.name}"; grant select (id, name) on town.people to "ann@${database.name}";
select portolan.enable_events('town.people')`);
    const ann = await hub.subscribe("ann", "town.people");
    await query("insert into town.people values (1, 'x', 99)");
    const [change] = await ann.expect(1);
    assert.deepEqual({ ...change?.new?.values }, { id: "1", name: "x" });
    assert.equal((await failure(hub.subscribe("ann", "town.people", { columns: ["salary"] }))).code, "FORBIDDEN");
    const filter = { key: "rich", columns: ["salary"], test: () => true };
    assert.equal((await failure(hub.subscribe("ann", "town.people", { filter }))).code, "FORBIDDEN");
    assert.equal((await failure(hub.subscribe("ann", "town.people", { columns: ["none"] }))).code, "BAD_USER_INPUT");
    const named = await hub.subscribe("ann", "town.people", { columns: ["name"] });
    await query(`revoke select (name) on town.people from "ann@${database.name}"`);
    await until(() => named.ended !== undefined);
    assert.equal(named.endCode, "FORBIDDEN");
    await query("insert into town.people values (2, 'y', 99)");
    await ann.expect(2);
    assert.deepEqual({ ...ann.changes[1]?.new?.values }, { id: "2" });
  });

  it("an account that may not select the table is refused, and so is an unknown table", async () => {
    assert.equal((await failure(hub.subscribe("eve", "town.people"))).code, "FORBIDDEN");
    assert.equal((await failure(hub.subscribe("eve", "town.nothing"))).code, "NOT_FOUND");
    assert.equal((await failure(hub.subscribe("boss", "hidden.friends"))).code, "NOT_FOUND");
    assert.equal((await failure(hub.subscribe("boss", "portolan.outbox"))).code, "NOT_FOUND");
    await query(
      "create view town.a_view as select 1 as id; create table town.off (id int); select portolan.share_with_owner('{town}')",
    );
    assert.match((await failure(hub.subscribe("boss", "town.a_view"))).message, /only tables have events/);
    assert.match((await failure(hub.subscribe("boss", "town.off"))).message, /Events of town.off are off/);
  });

  it("a right that is taken away ends the subscription, though nothing is written; nothing more is shown", async () => {
    await query(
      "create table town.open (id int primary key); select portolan.set_privilege('town.open', 'ann', 'read'), portolan.set_privilege('town.open', 'crew', 'read'); select portolan.enable_events('town.open')",
    );
    const ann = await hub.subscribe("ann", "town.open");
    const fay = await hub.subscribe("fay", "town.open");
    await query("insert into town.open values (1)");
    await ann.expect(1);
    await query(
      "begin; select portolan.set_privilege('town.open', 'ann', 'none'); insert into town.open values (2); commit",
    );
    await until(() => ann.ended !== undefined);
    assert.equal(ann.endCode, "FORBIDDEN");
    assert.deepEqual(ann.summary, ["INSERT 1"]);
    assert.equal(fay.endCode, undefined);
    await fay.expect(2);
    await query(`revoke "crew@${database.name}" from "fay@${database.name}"`);
    await until(() => fay.ended !== undefined);
    assert.equal(fay.endCode, "FORBIDDEN");
    assert.deepEqual(fay.summary, ["INSERT 1", "INSERT 2"]);
  });

  it("newly enabled row security and changed policies apply from the next event on", async () => {
    await query(
      "create table town.later (id int primary key, owner text); select portolan.set_privilege('town.later', 'ann', 'read'); select portolan.enable_events('town.later')",
    );
    const ann = await hub.subscribe("ann", "town.later");
    await query("insert into town.later values (1, 'ben')");
    await query("alter table town.later enable row level security");
    await query("insert into town.later values (2, 'ben'), (3, 'ann')");
    await query("create policy own on town.later using (owner = (select (portolan.request_context()).name))");
    await query("insert into town.later values (4, 'ben'), (5, 'ann')");
    await query("alter policy own on town.later using (owner = 'ben')");
    await query("insert into town.later values (6, 'ben'), (7, 'ann')");
    await query("alter table town.later disable row level security");
    await query("insert into town.later values (8, 'ben'), (9, 'ann')");
    await until(() => ann.summary.includes("INSERT 9"));
    // judged at delivery: a row that was written just before a change may meet the new rights, but never older ones
    // than at its writing
    const seen = ann.summary.map((text) => Number(text.slice(7)));
    assert.ok(seen.includes(8) && seen.includes(9));
    assert.deepEqual(
      seen,
      [...seen].sort((a, b) => a - b),
    );
    assert.equal(ann.endCode, undefined);
  });

  it("a policy that raises ends its own group with its error, and nobody else's", async () => {
    await query(`
create table town.broken (id int primary key, n int);
alter table town.broken enable row level security;
create policy ann on town.broken for select to "ann@${database.name}" using (10 / n > 0);
create policy ben on town.broken for select to "ben@${database.name}" using (true);
select portolan.set_privilege('town.broken', 'ann', 'read'), portolan.set_privilege('town.broken', 'ben', 'read');
select portolan.enable_events('town.broken')`);
    const ann = await hub.subscribe("ann", "town.broken");
    const ben = await hub.subscribe("ben", "town.broken");
    await query("insert into town.broken values (1, 1)");
    await ann.expect(1);
    await query("insert into town.broken values (2, 0)");
    await query("insert into town.broken values (3, 1)");
    await ben.expect(3);
    await until(() => ann.ended !== undefined);
    assert.deepEqual([ann.endCode, ann.ended?.message], ["BAD_USER_INPUT", "division by zero"]);
    assert.deepEqual(ann.summary, ["INSERT 1"]);
    assert.equal(ben.endCode, undefined);
  });

  it("a policy that reads system columns is refused when subscribing, with the reason", async () => {
    await query(`
create table town.systemic (id int primary key);
alter table town.systemic enable row level security;
create policy odd on town.systemic using (tableoid = 'town.systemic'::regclass);
select portolan.set_privilege('town.systemic', 'ann', 'read'); select portolan.enable_events('town.systemic')`);
    const error = await failure(hub.subscribe("ann", "town.systemic"));
    assert.equal(error.code, "BAD_USER_INPUT");
    assert.match(error.message, /system columns/);
  });

  it("policies are evaluated once for records with equal values in the columns that they read, whatever their subqueries read elsewhere", async () => {
    await query(`
create table town.allowed (kind int, who text);
insert into town.allowed values (1, 'ann');
grant select on town.allowed to public;
create table town.alike (id int primary key, kind int, t text);
alter table town.alike enable row level security;
create policy allowed on town.alike using (exists (
  select from town.allowed a join town.alike other on other.id = a.kind - 1
  where a.kind = alike.kind and a.who = current_setting('portolan.user')));
insert into town.alike values (0, 1, 'first');
select portolan.set_privilege('town.alike', 'ann', 'read'); select portolan.enable_events('town.alike')`);
    const judged = async (): Promise<number> =>
      (await hub.registry.getSingleMetric("portolan_events_judged_total")!.get()).values[0]?.value ?? 0;
    const [info] = await query("select portolan.event_table('town', 'alike') -> 'policyColumns' as columns");
    assert.deepEqual(info.columns, [1, 2]); // the key of the same table in a subquery counts, since it is the same column
    await query("drop policy allowed on town.alike");
    await query(
      "create policy allowed on town.alike using (exists (select from town.allowed a where a.kind = alike.kind and a.who = current_setting('portolan.user')))",
    );
    const ann = await hub.subscribe("ann", "town.alike");
    const before = await judged();
    await query("insert into town.alike select i, 1 + i % 2, 'row ' || i from generate_series(1, 40) i");
    await ann.expect(20);
    assert.equal(ann.changes.length, 20);
    assert.equal((await judged()) - before, 2);
  });

  it("the columns that policies read are known, unless one reads a system column or a whole row", async () => {
    for (const [policy, columns] of [
      ["true", []],
      ["k > 0", [2]],
      [`t ~ 'known.*' and "odd.*" > 0`, [3, 4]],
      ["known is not null", null],
      ["exists (select from town.shown o where o is not null and o.id = known.k)", null],
      ["k > 0 and tableoid > 0", null],
      ["exists (select from town.shown o where o.ctid = '(0,1)' and o.id = known.k)", null],
    ] as const) {
      await query(`
drop table if exists town.known, town.shown;
create table town.shown (id int);
create table town.known (id int primary key, k int, t text, "odd.*" int);
create policy p on town.known using (${policy})`);
      const [info] = await query("select portolan.event_table('town', 'known') -> 'policyColumns' as columns");
      assert.deepEqual(info.columns, columns, policy);
    }
  });

  it("a slow policy does not delay other groups", async () => {
    await query(`
create table town.slow (id int primary key);
alter table town.slow enable row level security;
grant execute on function pg_advisory_xact_lock_shared(bigint) to public;
create policy ann on town.slow for select to "ann@${database.name}" using ((select pg_advisory_xact_lock_shared(77)) is not null);
create policy ben on town.slow for select to "ben@${database.name}" using (true);
select portolan.set_privilege('town.slow', 'ann', 'read'), portolan.set_privilege('town.slow', 'ben', 'read');
select portolan.enable_events('town.slow')`);
    const ann = await hub.subscribe("ann", "town.slow");
    const ben = await hub.subscribe("ben", "town.slow");
    await query("select pg_advisory_lock(77)");
    for (let i = 0; i < 5; i++) await query("insert into town.slow values ($1)", [i]);
    await ben.expect(5);
    assert.equal(ann.changes.length, 0);
    await query("select pg_advisory_unlock(77)");
    await ann.expect(5);
    assert.deepEqual(ann.summary, ["INSERT 0", "INSERT 1", "INSERT 2", "INSERT 3", "INSERT 4"]);
  });

  it("a dropped account and a dropped table end their subscriptions", async () => {
    await query(
      "select portolan.create_user('zoe', null); create table town.brief (id int primary key); create table town.kept (id int primary key); select portolan.enable_events(r), portolan.set_privilege(r, 'zoe', 'read') from unnest('{town.brief,town.kept}'::regclass[]) r",
    );
    const brief = await hub.subscribe("zoe", "town.brief");
    const kept = await hub.subscribe("zoe", "town.kept");
    await query("drop table town.brief");
    await until(() => brief.ended !== undefined);
    assert.equal(brief.endCode, "NOT_FOUND");
    assert.equal(kept.endCode, undefined);
    await query("select portolan.drop_user('zoe')");
    await until(() => kept.ended !== undefined);
    assert.equal(kept.endCode, "FORBIDDEN");
  });

  it("sessions with another lasting claim, or address, are judged separately; tokens of one account together", async () => {
    const identity = (claims: object) => hub.identity("ann", claims as Record<string, unknown>);
    await query(`
create table town.claims (id int primary key, team text);
alter table town.claims enable row level security;
create policy team on town.claims using (team = current_setting('request.jwt.claims')::jsonb ->> 'team');
select portolan.set_privilege('town.claims', 'ann', 'read'); select portolan.enable_events('town.claims')`);
    const red = await hub.subscribe("ann", "town.claims", {
      identity: await identity({ team: "red", iat: 1, exp: 2 }),
    });
    const red2 = await hub.subscribe("ann", "town.claims", {
      identity: await identity({ exp: 9, team: "red", iat: 3 }),
    });
    const blue = await hub.subscribe("ann", "town.claims", { identity: await identity({ team: "blue" }) });
    await query("insert into town.claims values (1, 'red'), (2, 'blue')");
    await red.expect(1);
    await red2.expect(1);
    await blue.expect(1);
    assert.deepEqual([red.summary, blue.summary], [["INSERT 1"], ["INSERT 2"]]);
    assert.equal(red.batches[0], red2.batches[0], "one and the same batch");
  });
});
