/**
 * A schema owner without any attribute whose code is everywhere in its tables. Each piece notes the role that ran it,
 * and tries to make a super user. For tests that drive Portolan's own functions and check which roles were caught.
 */
import pg from "pg";
import { migrate } from "../../server/operate/migrate.ts";
import { GATEWAY_LOGIN, testCluster, testDatabase, type TestDatabase } from "../support/databases.ts";

export type OwnerKind = "a super user" | "a role that may make roles";

/** What the schema owner is to Portolan: whose code requests of other accounts run on the shared connections. */
export type TeamKind = "an author" | "a trusted owner" | "the owner of the database";

export interface Trapped {
  readonly database: TestDatabase;
  /** The role that owns schema portolan. */
  readonly owner: string;
  readonly ownerUrl: string;
  /** The schema owner: LOGIN, and nothing else. It owns schema `app`. */
  readonly team: pg.Client;
  readonly teamRole: string;
  /** Runs as the owner of schema portolan. */
  readonly admin: pg.Client;
  /** The roles that were caught since the last call, as `trap: role`, each once, without the schema owner itself. */
  caught(): Promise<string[]>;
  end(): Promise<void>;
}

let count = 0;

/**
 * A database with Portolan of that owner, and the schema owner with the objects of the traps: `app.trap(what)` notes
 * `current_user` in a table, and returns true.
 */
export async function trappedDatabase(kind: OwnerKind, teamKind: TeamKind = "an author"): Promise<Trapped> {
  const teamRole = `team_${++count}`;
  const owner = kind === "a super user" ? "postgres" : `keeper_${count}`;
  const database = await testDatabase({ kind: kind === "a super user" ? "portolan" : "postgis" });
  const cluster = await testCluster();
  const { client } = database;
  await client.query(`create role ${teamRole} login password 'team'`);
  let ownerUrl = database.url;
  if (owner !== "postgres") {
    await client.query(`
create role ${owner} login createrole password 'keeper';
grant create on database ${database.name} to ${owner};
grant ${teamRole} to ${owner};`);
    ownerUrl = cluster.url(database.name, owner, "keeper");
    await migrate({ ownerUrl, gatewayLogin: GATEWAY_LOGIN });
  }
  if (teamKind === "a trusted owner") await client.query("select portolan.note_trust($1, '{}')", [[teamRole]]);
  if (teamKind === "the owner of the database")
    await client.query(`alter database ${database.name} owner to ${teamRole}`);
  await client.query(`
create schema app authorization ${teamRole};
create schema traps;
grant usage on schema traps to public;
create table traps.notes (what text, who text);
grant select, insert on traps.notes to public;`);
  const team = new pg.Client({ connectionString: cluster.url(database.name, teamRole, "team") });
  const admin = new pg.Client({ connectionString: ownerUrl });
  for (const each of [team, admin]) {
    each.on("error", () => undefined);
    await each.connect();
  }
  await team.query(`
create function app.trap(what text) returns boolean language plpgsql volatile as $$
begin
  insert into traps.notes values (what, current_user);
  return true;
exception
  when read_only_sql_transaction or feature_not_supported then return true;
end $$;
grant usage on schema app to public`);
  return {
    database,
    owner,
    ownerUrl,
    team,
    teamRole,
    admin,
    async caught() {
      const { rows } = await client.query<{ note: string }>(
        "select distinct what || ': ' || who as note from traps.notes where who <> $1 order by 1",
        [teamRole],
      );
      await client.query("truncate traps.notes");
      return rows.map(({ note }) => note);
    },
    async end() {
      await team.end();
      await admin.end();
      await database.drop();
    },
  };
}
