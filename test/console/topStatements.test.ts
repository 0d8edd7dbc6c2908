import assert from "node:assert/strict";
import { findPostgres } from "../../server/setup/programs.mjs";
import { requestsAs, problemOf } from "../management/requests.ts";
import { violationsOf } from "../support/axe.ts";
import { command } from "../support/commands.ts";
import { onlyIf } from "../support/onlyIf.ts";
import { ownCluster, type OwnCluster } from "../support/ownCluster.ts";
import { shoot, site } from "./support.ts";

interface Top {
  readonly statement: string;
  readonly calls: number;
  readonly total_ms: number;
  readonly share: number;
  readonly missing_indexes: readonly string[];
  readonly index_trials: readonly {
    readonly index: string;
    readonly used: boolean | null;
    readonly cost_before: number | null;
    readonly cost_after: number | null;
    readonly problem: string | null;
  }[];
}

const INDEX = "create index on port.ships (owner);";
const SPATIAL_INDEX = "create index on port.ships using gist (geom);";

describe("the console: top statements, and the indexes that they lack", () => {
  let own: OwnCluster;
  const at = site({
    open: async () => {
      own = await ownCluster({ shared_preload_libraries: "pg_stat_statements" });
      return own.database;
    },
    config: { schemas: ["port"] },
    prepare: ({ client }) =>
      client.query(`
create schema port;
create table port.ships (id int primary key, owner int not null, kind int not null, geom public.geometry(Point, 4326));
create table port.owners (id int primary key);
insert into port.ships select n, n / 10, n % 3, public.st_makepoint(n % 180, n % 90) from generate_series(1, 20000) n;
analyze port.ships;
select portolan.create_user('captain', null, superuser => true), portolan.create_user('ann', null),
  portolan.set_privilege('port.ships', 'ann', 'read'), portolan.set_privilege('port.owners', 'ann', 'read')`),
  });
  after(() => own.stop());
  const test = at.scenarios("Home");

  test("says how to count statements, names the expensive ones with their missing index, and the index helps", async () => {
    const captain = await requestsAs(at.gateway, "captain");
    const ann = await requestsAs(at.gateway, "ann");
    const { page, done } = await at.visit("/statements");
    await page.getByText("Run this in the database: create extension pg_stat_statements;").waitFor();
    assert.match(
      problemOf(await captain("get", "/statements/top"), 404),
      /does not count the statements.*postgresql\.conf/,
    );
    await at.rows("create extension pg_stat_statements; select pg_stat_statements_reset()");
    for (const owner of [1, 2, 3, 4])
      await ann("post", "/sql", { q: `select id from port.ships s where s.owner = ${owner} and kind = 1` }).expect(200);
    await ann("post", "/sql", {
      q: "select count(*) from port.ships s where st_intersects(s.geom, st_makeenvelope(1, 1, 2, 2, 4326)) or s.id = 3",
    }).expect(200);
    await ann("post", "/sql", {
      q: "select count(*) from port.ships join port.owners o on o.id = ships.owner where st_intersects(geom, st_makeenvelope(1, 1, 2, 2, 4326))",
    }).expect(200);

    const top = (await captain("get", "/statements/top?limit=1000").expect(200)).body as Top[];
    const ofOwner = top.find(({ statement }) => statement.includes("owner = $1"))!;
    assert.deepEqual([ofOwner.calls, ofOwner.missing_indexes], [4, [INDEX]]); // not of kind, which has three values
    assert.ok(ofOwner.total_ms > 0 && ofOwner.share > 0 && ofOwner.share <= 1);
    const joined = top.find(({ statement }) => statement.includes("join port.owners"))!;
    assert.deepEqual(joined.missing_indexes, [INDEX, SPATIAL_INDEX]);
    const either = top.find(({ statement }) => / or s\.id/.test(statement))!;
    assert.deepEqual(either.missing_indexes, []); // one index does not serve an OR
    problemOf(await ann("get", "/statements/top"), 403);
    problemOf(await captain("get", "/statements/top?limit=0"), 400);
    const env = { DATABASE_URL: own.database.gatewayUrl, OWNER_DATABASE_URL: own.database.url, SCHEMAS: "port" };
    const { stdout } = command(["statement", "top", "--limit", "1000", "--json"], { env });
    const printed = JSON.parse(stdout) as Top[];
    assert.deepEqual(
      printed.find(({ statement }) => statement === joined.statement)?.missing_indexes,
      joined.missing_indexes,
    );

    await page.getByRole("button", { name: "Reload" }).click();
    const row = page.getByRole("row").filter({ hasText: "owner = $1" });
    await row.getByText(INDEX).waitFor();
    await row.getByText("%").waitFor();
    await row.getByText("Not tried: that needs the extension hypopg in the database.").waitFor();
    await shoot(page, "top-statements");
    assert.deepEqual(await violationsOf(page), {});
    await page.setViewportSize({ width: 390, height: 844 });
    const figures = await row.getByRole("cell").last().boundingBox();
    assert.ok(figures!.x + figures!.width <= 390, "the figures of a statement are in sight on a phone");
    await shoot(page, "top-statements-390");
    assert.deepEqual(await violationsOf(page), {});
    await page.setViewportSize({ width: 1440, height: 900 });
    await at.rows(await row.locator("pre").innerText());
    await page.getByRole("button", { name: "Reload" }).click();
    await row.getByText(INDEX).waitFor({ state: "detached" });
    assert.equal((await at.rows("select count(*)::int from pg_indexes where tablename = 'ships'"))[0].count, 2);
    await done(404, 404);
  });

  onlyIf(findPostgres()!.hypopg, "hypopg")(
    "tries a missing index without creating it, and runs no code of others",
    async () => {
      const captain = await requestsAs(at.gateway, "captain");
      await at.rows(`
create extension if not exists pg_stat_statements; create extension hypopg; drop index if exists port.ships_owner_idx;
create sequence port.seen; grant all on sequence port.seen to public;
create function port.spy() returns int immutable language plpgsql as $$ begin perform nextval('port.seen'); return 1; end $$;
select pg_stat_statements_reset()`);
      const ask = (q: string) => captain("post", "/sql", { q }).expect(200);
      await ask("select id from port.ships where owner = 7 and kind = 1");
      await ask("select id from port.ships where owner >= 0");
      await ask("update port.ships set kind = 2 where owner = 8");
      await ask("select id from port.ships where owner = 9 and now() - interval '1 hour' < now()");
      await ask("select id from port.ships where owner = 1 and kind < 2 + 0 * port.spy()");
      await ask("select id from port.ships where st_intersects(geom, st_makeenvelope(1, 1, 2, 2, 4326))");
      await at.rows("alter sequence port.seen restart");

      const { stdout } = command(["statement", "top", "--limit", "1000", "--json"], {
        env: { DATABASE_URL: own.database.gatewayUrl, OWNER_DATABASE_URL: own.database.url, SCHEMAS: "port" },
      });
      const overRest = (await captain("get", "/statements/top?limit=1000").expect(200)).body as Top[];
      for (const top of [overRest, JSON.parse(stdout) as Top[]]) {
        const trialOf = (part: string) => top.find(({ statement }) => statement.includes(part))!.index_trials[0]!;
        for (const part of ["owner = $1 and kind = $2", "update port.ships"]) {
          const { index, used, cost_before: before, cost_after: after, problem } = trialOf(part);
          assert.deepEqual([index, used, problem], [INDEX, true, null], part);
          assert.ok(after! > 0 && after! < before! / 2, `${before} became ${after}`);
        }
        assert.match(trialOf("interval $").problem!, /syntax error/);
        assert.match(trialOf("port.spy()").problem!, /neither of PostgreSQL nor of an extension/);
        assert.match(trialOf("st_intersects(geom").problem!, /gist/);
        assert.equal(trialOf("st_intersects(geom").used, null);
      }
      assert.deepEqual(
        await at.rows("select is_called from port.seen"),
        [{ is_called: false }],
        "a look at the statements runs none of their functions",
      );
      assert.deepEqual(await at.rows("select indexname from pg_indexes where tablename = 'ships'"), [
        { indexname: "ships_pkey" },
      ]);

      const { page, done } = await at.visit("/statements");
      const row = (text: string) => page.getByRole("row").filter({ hasText: text });
      await row("owner = $1 and kind = $2")
        .getByText(/^PostgreSQL would use it: the estimated cost falls from [\d.,]+ to [\d.,]+\.$/)
        .waitFor();
      await row("st_intersects(geom")
        .getByText(/^Not tried: .*gist/)
        .waitFor();
      await shoot(page, "top-statements-tried");
      assert.deepEqual(await violationsOf(page), {});
      await done();
    },
  );
});
