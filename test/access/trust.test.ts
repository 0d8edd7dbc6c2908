/** Whose code everybody may run: roles that are always trusted, and those that the configuration names. */
import assert from "node:assert/strict";
import { makeConfig } from "../../server/kernel/config.ts";
import { createLog } from "../../server/ground/log.ts";
import { startGateway } from "../../server/main.ts";
import { GATEWAY_LOGIN, testDatabase, type TestDatabase } from "../support/databases.ts";

describe("trusted roles", () => {
  let database: TestDatabase;
  const query = async (text: string, values: unknown[] = []) => (await database.client.query(text, values)).rows;
  const trusted = async (role: string): Promise<boolean> =>
    (await query("select portolan.is_trusted(r.oid) as is from pg_roles r where r.rolname = $1", [role]))[0].is;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await query(`
create role land_office; create role town_owner;
alter database ${database.name} owner to town_owner;
select portolan.create_user('ann', null), portolan.create_user('captain', null, superuser => true)`);
  });

  after(async () => {
    await query(`alter database ${database.name} owner to postgres; drop role land_office, town_owner`);
    await database.drop();
  });

  /** Starts a gateway with these options, and ends it. */
  async function start(options: Record<string, unknown> = {}): Promise<void> {
    const config = makeConfig({ databases: { [database.name]: database.gatewayUrl }, port: 0, ...options });
    await (await startGateway(config, createLog("silent"))).close();
  }

  it("are super users, the owners of the database, of schema portolan and owner@, and nobody else", async () => {
    for (const role of ["postgres", "town_owner", "pg_database_owner", `owner@${database.name}`])
      assert.equal(await trusted(role), true, role);
    for (const role of [GATEWAY_LOGIN, "land_office", `ann@${database.name}`, `captain@${database.name}`])
      assert.equal(await trusted(role), false, role);
    const gone = await query("select portolan.is_trusted(4000000000) as role, portolan.is_trusted(null) as nobody");
    assert.deepEqual(gone, [{ role: false, nobody: false }]);
  });

  it("are those that trustedOwners names too, from the start of a gateway until one starts without", async () => {
    await start({ trustedOwners: "land_office, nobody_of_that_name", trustedFunctions: "app.area(integer, text)" });
    assert.equal(await trusted("land_office"), true);
    await start();
    assert.equal(await trusted("land_office"), false);
  });

  it("are in the audit when they change, and only then", async () => {
    await query("truncate portolan.audit");
    for (let times = 0; times < 2; times++) await start({ trustedOwners: ["land_office"] });
    await start();
    const entries = await query(
      "select details ->> 'by' as by, details -> 'before' as before, details -> 'after' as after from portolan.audit where event = 'trust.changed' order by id",
    );
    const trust = { trusted_owners: ["land_office"] };
    assert.deepEqual(entries, [
      { by: GATEWAY_LOGIN, before: {}, after: trust },
      { by: GATEWAY_LOGIN, before: trust, after: {} },
    ]);
  });

  it("are nothing that an account may read or change", async () => {
    await query(`set session authorization "captain@${database.name}"`);
    for (const call of ["trusted_roles()", "is_trusted(10)", "note_trust('{land_office}', '{}')"])
      await assert.rejects(query(`select portolan.${call}`), { code: "42501" }, call);
    await query("reset session authorization");
  });
});
