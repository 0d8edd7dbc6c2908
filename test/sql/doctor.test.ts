import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { diagnose } from "../../server/operate/doctor/doctor.ts";
import type { Finding } from "../../server/ground/finding.ts";
import { startLocalCluster, type LocalCluster } from "../../server/demo/cluster/localCluster.ts";
import { migrate } from "../../server/operate/migrate.ts";
import { findPostgres } from "../../server/setup/programs.mjs";
import { command } from "../support/commands.ts";
import { GATEWAY_LOGIN } from "../support/databases.ts";
import { HAS_SECURITY_INVOKER, MEMBERSHIPS_SAY } from "../support/postgres.ts";
import { brokenLink } from "../docs/documents.ts";

describe("doctor", () => {
  let folder: string;
  let cluster: LocalCluster;
  let client: pg.Client;
  const login = () => cluster.url("town", GATEWAY_LOGIN, "gateway");

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), "portolan-doctor-"));
    chmodSync(folder, 0o755); // as root, PostgreSQL runs as another user
    cluster = await startLocalCluster({ directory: join(folder, "cluster"), durable: false });
    const admin = new pg.Client({ connectionString: cluster.url("postgres") });
    await admin.connect();
    await admin.query(`create role ${GATEWAY_LOGIN} login noinherit password 'gateway'`);
    await admin.query("create database town");
    await admin.end();
    client = new pg.Client({ connectionString: cluster.url("town") });
    await client.connect();
    await client.query("create extension postgis; revoke create on schema public from public"); // the default since PostgreSQL 15
    await migrate({ ownerUrl: cluster.url("town"), gatewayLogin: GATEWAY_LOGIN });
    await client.query(`
create schema town;
create table town.pts (id int primary key, kind int);
grant usage on schema town to public;
select portolan.create_user('ann', null);`);
    await client.query("select portolan.share_with_owner('{town}')");
  });

  after(async () => {
    await client.end();
    await cluster.stop();
    rmSync(folder, { recursive: true });
  });

  /** The problems. Asserts that each finding, good or bad, has a severity and a page, and each bad one a remedy. */
  async function bad(url = login()): Promise<readonly Finding[]> {
    const findings = await diagnose({ name: "town", url, ownerUrl: cluster.url("town") }, undefined);
    for (const { ok, severity, page, remedy, text } of findings) {
      assert.ok(severity, text);
      const [path, anchor] = (page ?? "").split("#");
      assert.equal(brokenLink({ line: 0, path: `docs/guides/${path}`, anchor }), undefined, text);
      if (!ok) assert.match(remedy.join("\n"), /\S/, text);
    }
    return findings.filter(({ ok }) => !ok);
  }

  it("finds nothing in a sound database", async () => {
    assert.deepEqual(await bad(), []);
  });

  const ANN = `"ann@town"`;
  interface Case {
    readonly what: string;
    readonly harm: string;
    readonly text: RegExp;
    readonly remedy: RegExp;
    readonly mend?: string;
  }
  const ofMemberships: readonly Case[] = [
    {
      what: "a login whose membership gives it the rights of an account",
      harm: `grant ${ANN} to ${GATEWAY_LOGIN} with inherit true`,
      text: /^gateway inherits the rights of "ann@town"$/,
      remedy: /^grant "ann@town" to gateway with inherit false granted by postgres;$/,
    },
    {
      what: "such a membership that another role granted",
      harm: `create role other; grant ${ANN} to other with admin true, inherit false; set role other;
grant ${ANN} to ${GATEWAY_LOGIN} with inherit true; reset role`,
      text: /^gateway inherits the rights of "ann@town"$/,
      remedy: /^grant "ann@town" to gateway with inherit false granted by other;$/,
      mend: "migrate",
    },
    {
      what: "a login that may not become an account",
      harm: `revoke ${ANN} from other cascade; drop role other; grant ${ANN} to ${GATEWAY_LOGIN} with set false`,
      text: /^gateway may not become "ann@town"$/,
      remedy: /^grant "ann@town" to gateway with inherit false, set true;$/,
    },
    {
      what: "an account whose membership gives it no rights",
      harm: `grant "anonymous@town" to ${ANN} with inherit false`,
      text: /^"ann@town" does not inherit the rights of "anonymous@town"$/,
      remedy: /^grant "anonymous@town" to "ann@town" with inherit true, set true;$/,
    },
  ];
  const cases: readonly Case[] = [
    ...(MEMBERSHIPS_SAY ? ofMemberships : []),
    {
      what: "a login that inherits the rights of accounts",
      harm: `alter role ${GATEWAY_LOGIN} inherit`,
      text: /inherits the rights of accounts/,
      remedy: /alter role "gateway" noinherit;/,
    },
    {
      what: "a login that owns a table",
      harm: `create table town.mine (); alter table town.mine owner to ${GATEWAY_LOGIN}; grant all on town.mine to "owner@town"`,
      text: /"gateway" owns town\.mine/,
      remedy: /create role portolan_gateway/,
      mend: "drop table town.mine",
    },
    {
      what: "a lost leakproof mark",
      harm: "alter function geometry_overlaps(geometry, geometry) not leakproof",
      text: /disables the spatial index/,
      remedy: /alter function public.geometry_overlaps\(public.geometry,public.geometry\) leakproof;/,
    },
    {
      what: "a rule that asks for a second factor, which no account may have",
      harm: `select portolan.note_mfa('off'); select portolan.create_rule('{"username": "ann", "schema": "town", "access": "allow", "mfa": true}')`,
      text: /rule \d+ asks for a second factor, which no account may have: the option mfa is off/,
      remedy: /set mfa to offered/,
      mend: "select portolan.note_mfa('offered'); delete from portolan.rules",
    },
    {
      what: "PostGIS that is missing",
      harm: "drop extension postgis",
      text: /PostGIS is not installed/,
      remedy: /create extension postgis;/,
      mend: "create extension postgis; select portolan.mark_leakproof(); select portolan.harden()",
    },
    {
      what: "another version of the schema",
      harm: "update portolan.code set hash = 'x' where path = 'accounts/me.view.sql'",
      text: /missing or of another version/,
      remedy: /npx portolan migrate/,
      mend: "migrate",
    },
    {
      what: "unaccent that is missing",
      harm: "drop extension unaccent",
      text: /unaccent is missing/,
      remedy: /create extension unaccent with schema portolan;/,
    },
    {
      what: "pgcrypto that is missing",
      harm: "drop extension pgcrypto",
      text: /pgcrypto is missing/,
      remedy: /create extension pgcrypto with schema portolan;/,
    },
    {
      what: "an account without its role",
      harm: `update portolan.users set role = 'gone@town' where name = 'ann'`,
      text: /roles are missing: gone@town/,
      remedy: /migrate --repair-roles/,
      mend: `update portolan.users set role = 'ann@town' where name = 'ann'`,
    },
    {
      what: "super users without a right on a table",
      // another session's DDL holds the table, so a check could not release it
      harm: `revoke insert on town.pts from "owner@town"; commit; begin; lock table town.pts`,
      text: /super users lack rights/,
      remedy: /grant select, insert, update, delete on table town\.pts to "owner@town";/,
      mend: `commit; grant insert on town.pts to "owner@town"`,
    },
    {
      what: "a restored database",
      harm: "update portolan.noted_database set identity = 'other'",
      text: /was restored or copied/,
      remedy: /migrate --repair-roles/,
      mend: "migrate",
    },
    {
      what: "an owner that may not make roles",
      harm: "create role plain nosuperuser; alter schema portolan owner to plain",
      text: /the owner of Portolan, plain, may not make roles/,
      remedy: /alter role plain createrole;/,
      mend: "alter schema portolan owner to postgres; drop owned by plain; drop role plain",
    },
    {
      what: "an owner that may not see and cancel what others run",
      harm: `
create role half nosuperuser; grant pg_read_all_stats to half; alter function portolan.list_statements() owner to half`,
      text: /cannot be listed and cancelled: the owner of Portolan, half, lacks pg_signal_backend/,
      remedy: /^grant pg_signal_backend to half;$/,
    },
    {
      what: "a view that shows what a rule hides",
      harm: `
create view town.leak as select * from town.pts; grant select on town.leak to ${ANN}; grant select on town.leak to "owner@town";
select portolan.create_rule('{"table": "pts", "access": "deny"}')`,
      text: /town\.leak shows rows of town\.pts/,
      remedy: HAS_SECURITY_INVOKER
        ? /alter view town\.leak set \(security_invoker = true\);/
        : /revoke select on town\.leak from …;/,
      mend: "delete from portolan.rules; drop view town.leak",
    },
    {
      what: "a policy that sleeps",
      harm: "create policy kinds on town.pts using (kind = 1)",
      text: /the policies of town\.pts sleep, since its row level security is off: kinds/,
      remedy: /alter table town\.pts enable row level security;/,
      mend: "drop policy kinds on town.pts",
    },
    {
      what: "large objects that are open to all",
      harm: "grant execute on function pg_catalog.lo_create(oid) to public",
      text: /can make large objects/,
      remedy: /revoke execute on function pg_catalog\.lo_create\(oid\) from public;/,
    },
    {
      what: "a client that keeps its first refresh token",
      harm: "select portolan.create_client('gc2-cli', 'Tools', '{http://127.0.0.1:5657/auth/callback}', public => true)",
      text: /the client gc2-cli takes passwords without a secret/,
      remedy: /npx portolan client change gc2-cli/,
      mend: "select portolan.drop_client('gc2-cli')",
    },
    {
      what: "an event trigger that is gone",
      harm: "drop event trigger portolan_follow_ddl",
      text: /within a second, not at once/,
      remedy: /select portolan\.install_ddl_trigger\(\);/,
      mend: "select portolan.install_ddl_trigger()",
    },
    {
      what: "triggers that somebody forgot to switch on again",
      harm: "select portolan.enable_events('town.pts'); alter table town.pts disable trigger user",
      text: /triggers of Portolan on town\.pts are switched off.*: _900_emit_delete, /,
      remedy: /^alter table town\.pts enable trigger _900_emit_delete;$/m,
    },
    {
      what: "triggers of events that are gone",
      harm: "select portolan.enable_events('town.pts'); drop trigger _900_emit_insert on town.pts",
      text: /triggers of events are missing on town\.pts/,
      remedy: /migrate --repair-roles/,
      mend: "migrate",
    },
    {
      what: "a workflow whose columns are gone",
      harm: `create table town.moles (id int primary key);
select portolan.enable_workflow('town.moles'); alter table town.moles drop column portolan_status cascade`,
      text: /the workflow of town\.moles has lost its columns/,
      remedy: /^select portolan\.enable_workflow\('town\.moles', wait => true\);$/m,
      mend: "select portolan.enable_workflow('town.moles', wait => true)",
    },
    {
      what: "a function of Portolan's that is gone",
      harm: "drop function portolan.list_sizes()",
      text: /the function portolan\.list_sizes\(\) is missing/,
      remedy: /^npx portolan migrate$/,
      mend: "migrate",
    },
    {
      what: "a trigger of Portolan's that is switched off",
      harm: "alter table portolan.privileges disable trigger _800_audit_change",
      text: /the trigger _800_audit_change on portolan\.privileges differs from Portolan's own/,
      remedy: /^npx portolan migrate$/,
      mend: "migrate",
    },
    {
      what: "a function of Portolan's whose body was changed in the catalogue",
      harm: `set allow_system_table_mods = on;
update pg_proc set prosrc = prosrc || ' ' where oid = 'portolan.list_sizes()'::regprocedure;
reset allow_system_table_mods`,
      text: /the function portolan\.list_sizes\(\) differs from Portolan's own/,
      remedy: /^npx portolan migrate$/,
      mend: "migrate",
    },
    {
      what: "a function of Portolan's that runs with the rights of others",
      harm: "alter function portolan.has_authors() security invoker",
      text: /the function portolan\.has_authors\(\) differs from Portolan's own/,
      remedy: /^npx portolan migrate$/,
      mend: "migrate",
    },
    {
      what: "a view of Portolan's that shows less",
      harm: `do $$ begin
  execute 'create or replace view portolan.my_rules as select * from (' || rtrim(pg_get_viewdef('portolan.my_rules'), ';') || ') r where false';
end $$`,
      text: /the view portolan\.my_rules differs from Portolan's own/,
      remedy: /^npx portolan migrate$/,
      mend: "migrate",
    },
    {
      what: "a table of Portolan's whose row security is off",
      harm: "alter table portolan.methods disable row level security",
      text: /the table portolan\.methods differs from Portolan's own/,
      remedy: /^restore it from a backup/,
      mend: "alter table portolan.methods enable row level security",
    },
    {
      what: "a column of Portolan's with another default",
      harm: "alter table portolan.jobs alter state set default 'failed'",
      text: /the column portolan\.jobs\.state differs from Portolan's own/,
      remedy: /^restore it from a backup/,
      mend: "alter table portolan.jobs alter state set default 'queued'",
    },
    {
      what: "an index of Portolan's of other columns",
      harm: "drop index portolan.audit_at; create index audit_at on portolan.audit (id)",
      text: /the index portolan\.audit_at differs from Portolan's own/,
      remedy: /^drop index portolan\.audit_at;\nCREATE INDEX audit_at ON portolan\.audit /,
    },
    {
      what: "a trigger that reads what Portolan writes",
      harm: "create trigger spy after insert on portolan.users for each row execute function portolan.tg__bump_generation('x')",
      text: /the trigger spy on portolan\.users is in schema portolan, but is not Portolan's/,
      remedy: /^drop trigger spy on portolan\.users;$/,
    },
    {
      what: "an index of Portolan's that is gone",
      harm: "drop index portolan.audit_at",
      text: /the index portolan\.audit_at is missing/,
      remedy: /^CREATE INDEX audit_at ON portolan\.audit /,
    },
    {
      what: "a policy of Portolan's that lets more through",
      harm: "alter policy read_methods on portolan.methods using (true)",
      text: /the policy read_methods on portolan\.methods differs from Portolan's own/,
      remedy: /^create policy read_methods on portolan\.methods as permissive for select using \(/m,
    },
    {
      what: "a constraint of Portolan's that is gone",
      harm: "alter table portolan.rules drop constraint rules_service",
      text: /the constraint rules_service on portolan\.rules is missing/,
      remedy: /^alter table portolan\.rules add constraint rules_service /,
    },
    {
      what: "a job that has failed",
      harm: "insert into portolan.jobs (kind, relation, state, started_by, error) values ('events', 'town.pts', 'failed', 'ann', 'full')",
      text: /job \d+ \(events of town\.pts\) has failed: full/,
      remedy: /npx portolan jobs continue \d+/,
      mend: "delete from portolan.jobs",
    },
    {
      what: "keys that are gone",
      harm: "delete from portolan.signing_keys",
      text: /no key signs tokens/,
      remedy: /^npx portolan migrate$/,
      mend: "migrate",
    },
    {
      what: "a schema on the search_path where anybody may create",
      harm: "grant create on schema public to public",
      text: /public may create in schema public/,
      remedy: /revoke create on schema public from public;/,
    },
  ];

  for (const { what, harm, text, remedy, mend } of cases)
    it(`names ${what}, and its remedy works`, async () => {
      await client.query(harm);
      const found = (await bad()).find((finding) => text.test(finding.text));
      assert.ok(found, JSON.stringify(await bad()));
      assert.match(found.remedy.join("\n"), remedy);
      if (mend === "migrate")
        await migrate({ ownerUrl: cluster.url("town"), gatewayLogin: GATEWAY_LOGIN, repairRoles: true });
      else if (mend === undefined) await client.query(found.remedy.join("\n"));
      else await client.query(mend);
      assert.deepEqual(await bad(), []);
    });

  it("names a superuser as login", async () => {
    assert.match((await bad(cluster.url("town")))[0]?.text ?? "", /"postgres" is a superuser/);
  });

  it("names a pg_hba.conf that requires no password, though the role of the account cannot log in", async () => {
    const file = (await client.query<{ hba_file: string }>("show hba_file")).rows[0]?.hba_file ?? "";
    const before = readFileSync(file, "utf8");
    const reload = async (): Promise<void> => {
      await client.query("select pg_reload_conf()");
      // the postmaster reads it a little later: a new connection shows it
      for (let n = 0; n < 100; n++) {
        const { rows } = await client.query("select pg_conf_load_time() > now() - interval '1 s' as loaded");
        if (rows[0].loaded) return;
      }
    };
    try {
      writeFileSync(file, `local all all trust\nhost all all all trust\n`);
      await reload();
      const [found] = await bad();
      assert.equal(found?.text, "PostgreSQL does not ask the roles of accounts for passwords");
      assert.match(found.remedy.join("\n"), /with scram-sha-256 only.* \(.*role "\S+" is not permitted to log in\)/);
      // the same for a restored database, whose roles have other names once they are repaired
      const dump = join(folder, "town.sql");
      execFileSync(join(findPostgres()?.bin ?? "", "pg_dump"), ["-f", dump, cluster.url("town")]);
      const env = { DATABASE_URL: login(), OWNER_DATABASE_URL: cluster.url("town") };
      const { stdout } = command(["backup", "check", dump], { env });
      assert.match(stdout, /^done /m);
      assert.deepEqual(stdout.match(/^.*passwords$/gm), [`FIX  ${found.text}`]);
    } finally {
      writeFileSync(file, before);
      await reload();
    }
    assert.deepEqual(await bad(), []);
  });

  it("an owner role that may not make roles gets the SQL for it", async () => {
    await client.query("create database fresh");
    await client.query("create role weak login password 'weak'");
    const run = () => migrate({ ownerUrl: cluster.url("fresh", "weak", "weak"), gatewayLogin: GATEWAY_LOGIN });
    await assert.rejects(
      run(),
      /permission denied .*\n {2}alter role weak createrole;\n {2}grant create on database fresh to weak;/,
    );
    await client.query("grant create on database fresh to weak");
    await assert.rejects(
      run(),
      /permission denied to create role\. Run as a superuser, then migrate again:\n {2}alter role weak createrole;$/,
    );
    await client.query("alter role weak createrole");
    await run();
  });
});
