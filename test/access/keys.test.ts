/** The private keys and the secret of logins: who can read them, as itself or as what it can become. */
import assert from "node:assert/strict";
import { testGateway, type TestGateway } from "../support/gateway.ts";

describe("private keys and secrets", () => {
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      config: { schemas: ["shop"] },
      prepare: ({ client }) =>
        client.query(`create role keys_owner login; create role keys_team nologin;
create schema shop authorization keys_owner; create table shop.things (id int primary key); alter table shop.things owner to keys_owner;
select portolan.adopt_role('team', 'keys_team');
select portolan.runner_login('keys_team', 'SCRAM-SHA-256$4096:AAAA$AAAA:AAAA', 1)`),
    });
    await gateway.graphql("guest", "shop", "{ __typename }");
  });

  after(() => gateway?.close());

  const kinds = {
    "an account": "guest@DATABASE",
    "an account of a super user": "captain@DATABASE",
    "the anonymous account": "anonymous@DATABASE",
    "an account on a role of the team": "keys_team",
    "the owner of what Portolan makes": "owner@DATABASE",
    "an owner of a schema": "keys_owner",
    "the login of requests": ".pool@DATABASE",
    "the login of methods": "RUNNER",
  };
  for (const [kind, pattern] of Object.entries(kinds))
    it(`${kind} reads none, of no table and by no function, as whichever role it can become`, async () => {
      const { client, name } = gateway.database;
      const { rows: runners } = await client.query<{ runner: string }>(
        "select portolan.runner_role('keys_team') as runner",
      );
      const login = pattern.replace("DATABASE", name).replace("RUNNER", runners[0]!.runner);
      const { rows: secrets } = await client.query<{ secret: string }>(
        "select private_jwk ->> 'd' as secret from portolan.signing_keys union all select value #>> '{}' from portolan.settings where name = 'own_sql_secret'",
      );
      assert.ok(secrets.length >= 2 && secrets.every(({ secret }) => secret.length > 20));
      const { rows: roles } = await client.query<{ role: string }>(
        "select rolname as role from pg_roles where pg_has_role($1, oid, 'member')",
        [login],
      );
      const { rows: sources } = await client.query<{ text: string }>(`
select format('select t::text as told from %s t', c.oid::regclass) as text
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where c.relkind in ('r', 'p', 'v', 'm') and n.nspname !~ '^pg_toast' and n.nspname <> 'information_schema'
union all
select format('select f::text as told from %s(%s) f', p.oid::regproc,
  (select string_agg(case when t = 'boolean'::regtype then 'true' else 'null' end || '::' || format_type(t, null), ', ')
   from unnest(p.proargtypes[0:p.pronargs - p.pronargdefaults - 1]) t))
from pg_proc p
where p.pronamespace = 'portolan'::regnamespace and p.prokind = 'f' and p.prorettype <> 'trigger'::regtype
  and p.prorettype <> 'event_trigger'::regtype and not exists (
    select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')`);
      assert.ok(sources.length > 200);
      let told = 0;
      for (const { role } of roles) {
        await client.query("begin");
        try {
          await client.query(`set local session authorization "${login}"`);
          await client.query(`set local role "${role}"`);
          await client.query("set local statement_timeout = '5s'");
          for (const { text } of sources) {
            await client.query("savepoint one");
            const rows = await client.query<{ told: string | null }>(text).then(
              (result) => result.rows,
              () => [],
            );
            await client.query("rollback to one");
            told += rows.length;
            const all = rows.map((row) => row.told).join("\n");
            for (const { secret } of secrets) assert.ok(!all.includes(secret), `${role}: ${text}`);
          }
        } finally {
          await client.query("rollback");
        }
      }
      assert.ok(told > 0);
    });
});
