/** Reads of two accounts in turn, on the one connection of a gateway that serves a Citus cluster. */
import assert from "node:assert/strict";
import { hasCitus } from "../support/citusCluster.ts";
import { describeOnlyIf } from "../support/onlyIf.ts";
import { until } from "../support/until.ts";
import { startTown, type Town } from "./town.ts";

const OF_CLAIM = "owner = current_setting('jwt.claims.uid', true)";
const OF_ROLE = "owner || '@town' = current_user";

/** Each has rows of ann and of bob, and a policy that shows each account its own. */
const TABLES = `
create schema own;
${(
  [
    ["plain", OF_CLAIM],
    ["kinds", OF_CLAIM],
    ["far", OF_ROLE],
    ["claimed", OF_CLAIM],
  ] as const
)
  .map(
    ([table, condition]) => `
create table own.${table} (tenant int, id int, owner text not null, primary key (tenant, id));
alter table own.${table} enable row level security;
create policy own on own.${table} using (${condition});
insert into own.${table} select n % 3, n, (array['ann', 'bob'])[1 + n % 2] from generate_series(1, 12) n;`,
  )
  .join("")}
create table own.notes (tenant int, id int, note text, primary key (tenant, id));
insert into own.notes select n % 3, n, 'note ' || n from generate_series(1, 12) n;
create table own.ruled (tenant int, id int, owner text not null, primary key (tenant, id));
insert into own.ruled select tenant, id, owner from own.far;
select create_distributed_table('own.ruled', 'tenant', colocate_with => 'none');
create table own.later (tenant int, id int, owner text not null, primary key (tenant, id));
insert into own.later select n % 3, n, (array['ann', 'bob'])[1 + n % 2] from generate_series(1, 12) n;
select create_reference_table('own.kinds');
select create_distributed_table('own.far', 'tenant', colocate_with => 'none');
select create_distributed_table('own.claimed', 'tenant', colocate_with => 'none');
create view own.noted with (security_invoker) as
select f.tenant, f.id, f.owner, n.note from own.far f join own.notes n on n.tenant = f.tenant and n.id = f.id;
create view own.named with (security_invoker) as
select f.tenant, f.id, f.owner from own.far f join own.kinds k on k.tenant = f.tenant and k.id = f.id`;

const ACCOUNTS = ["ann", "bob"] as const;

describeOnlyIf(hasCitus(), "Citus: test/citus/build.sh")("reads of a cluster, on one connection", function () {
  this.timeout(60_000);
  let town: Town;

  before(async function () {
    this.timeout(240_000);
    town = await startTown({ poolSize: 1, more: { tables: TABLES, schemas: ["own"] } });
    for (const account of ACCOUNTS)
      await town.query(
        "select portolan.set_privilege(c::regclass, $1, 'read') from unnest(array['own.noted', 'own.named']) c",
        [account],
      );
  });
  after(() => town.close());
  afterEach(() => town.query("delete from portolan.rules"));

  async function counted(outcome: "answered" | "failed"): Promise<number> {
    const { text } = await town.http.get("/metrics");
    return Number(new RegExp(`^portolan_pinned_reads_total\\{.*outcome="${outcome}".*\\} (\\d+)$`, "m").exec(text)![1]);
  }

  const list =
    (table: string, where: string) =>
    async (account: string): Promise<unknown> =>
      town.graphql(account, "own", `{ get${table}(${where}orderBy: [{id: "asc"}]) { id owner } }`);
  const get = async (account: string, path: string): Promise<unknown> => {
    const { status, text } = await town.http.get(path).set("Authorization", `Bearer ${await town.token(account)}`);
    return `${status} ${text}`;
  };
  const rows = (table: string) => (account: string) =>
    get(account, `/api/v4/schemas/own/tables/${table}/rows?limit=40`);
  const OF_TENANT = "where: {tenant: {eq: 1}}, ";

  const READS: Readonly<Record<string, (account: string) => Promise<unknown>>> = {
    "a local table": list("Plain", ""),
    "a reference table": list("Kinds", ""),
    "one shard": list("Far", OF_TENANT),
    "all shards": list("Far", ""),
    "rows of all shards": rows("far"),
    "rows of a local table": rows("plain"),
    "shards beside a local table": list("Noted", ""),
  };

  for (const [what, read] of Object.entries(READS))
    it(`${what}: each account has its own rows, also after the other one`, async () => {
      const expected = new Map<string, string>();
      for (const account of ACCOUNTS) {
        const seen = JSON.stringify(await read(account));
        assert.ok(seen.includes(account), seen);
        for (const other of ACCOUNTS) assert.equal(seen.includes(other), other === account, seen);
        expected.set(account, seen);
      }
      const [answered, failed] = [await counted("answered"), await counted("failed")];
      await until(async () => {
        for (const account of ["ann", "bob", "bob", "ann"])
          assert.equal(JSON.stringify(await read(account)), expected.get(account), account);
        return (await counted("answered")) >= answered + 8;
      });
      assert.equal(await counted("failed"), failed);
    });

  it("a policy that reads a claim on a shard, which does not have it, shows nobody anything", async () => {
    const read = list("Claimed", OF_TENANT);
    for (let n = 0; n < 8; n++)
      for (const account of ACCOUNTS) assert.deepEqual(await read(account), { getClaimed: [] });
    const named = list("Named", OF_TENANT); // the reference table's policy runs beside the shard
    for (let n = 0; n < 8; n++)
      for (const account of ACCOUNTS) assert.deepEqual(await named(account), { getNamed: [] });
  });

  it("heeds a rule from the moment on in which it is written", async () => {
    const read = list("Ruled", "");
    const seen = async (account: string): Promise<number> =>
      ((await read(account)) as { getRuled: unknown[] }).getRuled.length;
    for (let n = 0; n < 8; n++) for (const account of ACCOUNTS) assert.equal(await seen(account), 12);
    const rule = {
      schema: "own",
      table: "ruled",
      username: "ann",
      request: "select",
      access: "limit",
      filter: "id < 5",
    };
    await town.query("select portolan.create_rule($1)", [JSON.stringify(rule)]);
    for (let n = 0; n < 8; n++) assert.deepEqual([await seen("bob"), await seen("ann")], [12, 4]);
  });

  it("loses a privilege at once", async () => {
    const read = list("Far", OF_TENANT);
    for (let n = 0; n < 8; n++) for (const account of ACCOUNTS) await read(account);
    const of = JSON.stringify(await read("ann"));
    await town.query(`revoke select on own.far from "bob@town"`);
    for (let n = 0; n < 4; n++) {
      const refused = (await read("bob")) as { extensions?: { code?: unknown } };
      assert.equal(refused.extensions?.code, "FORBIDDEN", JSON.stringify(refused));
      assert.equal(JSON.stringify(await read("ann")), of);
    }
    await town.query("select portolan.set_privilege('own.far', 'bob', 'all')");
  });

  it("goes on while its table is distributed, and sees each write at once", async () => {
    const read = list("Later", OF_TENANT);
    const before = JSON.stringify(await read("ann"));
    for (let n = 0; n < 8; n++)
      for (const account of ACCOUNTS) assert.equal(JSON.stringify(await read(account)), before);
    await town.query("select create_distributed_table('own.later', 'tenant', colocate_with => 'none')");
    for (let n = 0; n < 8; n++)
      for (const account of ACCOUNTS) assert.equal(JSON.stringify(await read(account)), before);
    for (let n = 0; n < 8; n++) {
      const name = `written ${n}`;
      await town.query("update own.later set owner = $1 where tenant = 1 and id = 1", [name]);
      const seen = (await read("ann")) as { getLater: { owner: string }[] };
      assert.equal(seen.getLater[0]!.owner, name);
    }
  });
});
