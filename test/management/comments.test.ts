import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { join } from "node:path";
import { findPostgres } from "../../server/setup/programs.mjs";
import { programEnv } from "../support/programEnv.ts";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { problemOf, requestsAs, type Requests } from "./requests.ts";

const CLI = join(import.meta.dirname, "../../server/setup/portolan.mjs");

/** Of a key of two columns, of which guest sees the rows of its own, and ann only some columns. */
const TABLES = (name: string): string => `
create table world.sheets (place text, number integer, holder text, secret text, primary key (place, number));
insert into world.sheets values ('a,b', 1, 'guest', 'x'), ('c', 1, 'ann', 'x');
create table world.loose (id integer);
select portolan.create_user('ann', null);
select portolan.create_user('bob', null);
grant select on world.sheets, world.loose to "guest@${name}";
grant select (place, number) on world.sheets to "ann@${name}";
alter table world.sheets enable row level security;
create policy own on world.sheets using (holder = (select m.name from portolan.me m) or (select portolan.is_super_user()));
create policy named on world.sheets to "ann@${name}" using (true);
alter table world.sheets owner to "owner@${name}";`;

describe("comments on rows", () => {
  let gateway: TestGateway;
  let captain: Requests;
  let guest: Requests;
  let ann: Requests;
  let bob: Requests;
  const sheets = "/schemas/world/tables/sheets/comments";
  const first = "a%2Cb,1";
  const of = (key: string): string => `${sheets}?key=${encodeURIComponent(key)}`;
  const query = async (text: string) => (await gateway.database.client.query(text)).rows;

  before(async () => {
    gateway = await testGateway({ prepare: ({ client, name }) => client.query(TABLES(name)) });
    [captain, guest, ann, bob] = (await Promise.all(
      ["captain", "guest", "ann", "bob"].map((name) => requestsAs(gateway, name)),
    )) as [Requests, Requests, Requests, Requests];
  });
  after(() => gateway.close());

  it("are seen by those who may read the row, and by nobody else", async () => {
    const made = await guest("post", sheets, { key: first, body: "Is this <b>right</b>?" }).expect(201);
    await ann("post", sheets, { key: "c,01", body: "Mine" }).expect(201);
    const { body } = await guest("get", of(first)).expect(200);
    assert.deepEqual(
      body.map(({ created_at: _at, ...rest }: { created_at: string }) => rest),
      [
        {
          id: made.body.id,
          key: first,
          body: "Is this <b>right</b>?",
          author: "guest",
          changed_at: null,
          may_change: true,
          may_remove: true,
        },
      ],
    );
    problemOf(await guest("get", of("c,1")), 404);
    problemOf(await guest("post", sheets, { key: "c,1", body: "Not mine" }), 404);
    const seen = async (as: Requests) =>
      (await as("get", sheets).expect(200)).body.map(({ key }: { key: string }) => key);
    assert.deepEqual(await seen(guest), [first]);
    assert.deepEqual(await seen(ann), ["c,1", first], "latest first; a right to read the key is enough");
    assert.deepEqual(await seen(captain), ["c,1", first]);
    problemOf(await bob("get", sheets), 404);
    await gateway.http.get(`/api/v4${sheets}`).expect(401);
  });

  it("are seen under the same rights in SQL", async () => {
    const as = async (account: string): Promise<unknown> => {
      await query(
        `begin; set local role "${account}@${gateway.database.name}"; set local session authorization "${account}@${gateway.database.name}"`,
      );
      try {
        return (await query("select key from portolan.row_comments order by id")).map(({ key }) => key);
      } finally {
        await query("rollback");
      }
    };
    assert.deepEqual(await as("guest"), [first]);
    assert.deepEqual(await as("bob"), []);
    assert.deepEqual(await as("anonymous"), []);
  });

  it("are changed by their authors, and removed by them and by super users", async () => {
    const { body } = await guest("post", sheets, { key: first, body: "One" }).expect(201);
    const path = `${sheets}/${body.id}`;
    problemOf(await ann("patch", path, { body: "Two" }), 403);
    problemOf(await captain("patch", path, { body: "Two" }), 403);
    problemOf(await ann("delete", path), 403);
    problemOf(await guest("patch", `/schemas/world/tables/cities/comments/${body.id}`, { body: "Two" }), 404);
    await guest("patch", path, { body: "Two" }).expect(204);
    const [, changed] = (await ann("get", of(first)).expect(200)).body;
    assert.deepEqual([changed.body, changed.author, changed.may_change], ["Two", "guest", false]);
    assert.ok(changed.changed_at);
    await captain("delete", path).expect(204);
    problemOf(await guest("delete", path), 404);
    problemOf(await guest("delete", `${sheets}/x`), 404);
  });

  it("refuse what is no comment, and tables without a key", async () => {
    for (const bad of [{ body: "" }, { body: " \n" }, { body: "x".repeat(10_001) }, { body: 1 }, {}])
      problemOf(await guest("post", sheets, { key: first, ...bad }), 400);
    problemOf(await guest("post", sheets, { body: "No row" }), 400);
    for (const key of ["", "a", "1,2,3", "a%2Cb,x", "'; drop table world.sheets; --"])
      problemOf(await guest("post", sheets, { key, body: "No row" }), 404);
    problemOf(await guest("post", "/schemas/world/tables/loose/comments", { key: "1", body: "No key" }), 400);
    problemOf(await guest("get", `${sheets}?limit=0`), 400);
  });

  it("stay with their row when it is deleted and comes again, and go with their table", async () => {
    const keys = async (as: Requests) =>
      (await as("get", "/schemas/world/tables/notes/comments").expect(200)).body.map(({ key }: { key: string }) => key);
    await query(`create table world.notes (id integer primary key); insert into world.notes values (1);
grant select on world.notes to "guest@${gateway.database.name}"`);
    await guest("post", "/schemas/world/tables/notes/comments", { key: "1", body: "Kept" }).expect(201);
    await query("delete from world.notes");
    assert.deepEqual([await keys(guest), await keys(captain)], [[], ["1"]]);
    await query("insert into world.notes values (1)");
    assert.deepEqual(await keys(guest), ["1"]);
    await query("drop table world.notes; select portolan.clear_expired(365)");
    assert.deepEqual(await query("select from portolan.row_comments where key = '1'"), []);
  });

  it("are in the audit and in a dump, and keep no name of an account that is removed", async () => {
    const { body } = await ann("post", sheets, { key: "c,1", body: "To keep" }).expect(201);
    await query("select portolan.drop_user('ann')");
    const [kept] = (await captain("get", of("c,1")).expect(200)).body.slice(-1);
    assert.deepEqual([kept.id, kept.author], [body.id, null]);
    const entries = await query(
      `select event, details -> 'by' as by, details -> 'relation' as relation, details -> 'key' as key from portolan.audit
       where details ->> 'id' = '${body.id}' order by id`,
    );
    assert.deepEqual(entries, [{ event: "comment.created", by: "ann", relation: "world.sheets", key: "c,1" }]);
    const dump = execFileSync(join(findPostgres()?.bin ?? "", "pg_dump"), [
      "--table=portolan.row_comments",
      gateway.database.url,
    ]);
    assert.match(dump.toString(), /\tworld\.sheets\tc,1\tTo keep\t\\N\t/);
  });

  it("are written and listed by the command line, in the name of an account too", () => {
    const run = (...args: string[]) =>
      spawnSync(process.execPath, [CLI, "comment", ...args], {
        env: { ...programEnv(), DATABASE_URL: gateway.database.gatewayUrl, OWNER_DATABASE_URL: gateway.database.url },
        encoding: "utf8",
      });
    assert.equal(run("add", "world.sheets", first, "From the shell", "--as", "guest").stderr, "");
    const listed = run("list", "world.sheets", first, "--json");
    const [last] = (JSON.parse(listed.stdout) as { id: number; author: string; body: string }[]).slice(-1);
    assert.deepEqual([last?.author, last?.body], ["guest", "From the shell"]);
    assert.match(run("change", String(last!.id), "By the operator").stdout, /is changed/);
    assert.match(run("remove", String(last!.id)).stdout, /is removed/);
    assert.match(run("remove", String(last!.id)).stderr, /there is no comment/);
  });
});
