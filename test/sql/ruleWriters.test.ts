import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import pg from "pg";
import { testGateway, type TestGateway } from "../support/gateway.ts";
import { sized } from "../support/size.ts";
import { until } from "../support/until.ts";

const WRITERS = sized(6, 20);
const ROUNDS = sized(1, 50);

/** Half of them write rules of one table, half of another. */
const tableOf = (writer: number): string => (writer % 2 === 0 ? "even" : "odd");

/** A writer makes its own rule and replaces it again and again, by plain statements; the last one stays. */
function scriptOf(writer: number): string {
  const insert = (id: number): string =>
    `insert into portolan.rules (username, schema, "table", access, filter) values ('u${writer}', 'town', '${tableOf(writer)}', 'limit', 'id = ${id}');`;
  const replace = Array.from({ length: ROUNDS }, (_, round) => [
    insert(round + 1),
    `delete from portolan.rules where username = 'u${writer}' and filter = 'id = ${round}';`,
  ]);
  return [insert(0), ...replace.flat()].join("\n");
}

/** The statements that somebody else runs over and over, each on a connection of its own. */
const BESIDE: Readonly<Record<string, readonly string[]>> = {
  "events by functions": ["select portolan.enable_events('town.even')", "select portolan.disable_events('town.even')"],
  "events by comments": ["comment on table town.odd is '@events on'", "comment on table town.odd is null"],
  jobs: [
    "select portolan.queue_job('versioning', 'town.two')",
    "select * from portolan.work_job()",
    "select portolan.queue_job('end_versioning', 'town.two')",
    "select * from portolan.work_job()",
  ],
  "events by jobs": [
    "select portolan.queue_job('events', 'town.three')",
    "select portolan.disable_events('town.three')",
  ],
  DDL: ["create table town.fresh (id int primary key)", "drop table town.fresh"],
};

describe(`${WRITERS} sessions of psql that write rules, beside a gateway, events switched on and off, and jobs`, function () {
  this.timeout(sized(240_000, 3_600_000));
  let gateway: TestGateway;

  before(async () => {
    gateway = await testGateway({
      prepare: ({ client }) =>
        client.query(`
create schema town;
create table town.even (id int primary key);
create table town.odd (id int primary key);
create table town.two (id int primary key);
create table town.three (id int primary key);
insert into town.even select generate_series(0, ${ROUNDS});
insert into town.odd select generate_series(0, ${ROUNDS});
insert into town.two select generate_series(1, 1000);
select portolan.create_user('u' || i, 'secret'), portolan.set_privilege('town.even', 'u' || i, 'read'),
  portolan.set_privilege('town.odd', 'u' || i, 'read') from generate_series(1, ${WRITERS}) i;`),
    });
  });
  after(() => gateway.close());

  /** What psql said on stderr; it ends with the first statement that is refused. */
  function psql(script: string): Promise<string> {
    return new Promise((resolve) => {
      const program = execFile(
        "psql",
        ["-d", gateway.database.url, "-q", "-v", "ON_ERROR_STOP=1"],
        (error, _stdout, stderr) => resolve(error ? stderr || error.message : stderr),
      );
      program.stdin!.end(script);
    });
  }

  it("are never refused, and lose no rule", async () => {
    let isOver = false;
    const beside = Object.entries(BESIDE).map(async ([name, statements]) => {
      const client = new pg.Client({ connectionString: gateway.database.url });
      await client.connect();
      const refused: string[] = [];
      let rounds = 0;
      do {
        for (const statement of statements)
          await client.query(statement).catch((error: Error) => refused.push(`${statement}: ${error.message}`));
        rounds += 1;
      } while (!isOver);
      await client.end();
      return { name, rounds, refused };
    });
    const said = await Promise.all(Array.from({ length: WRITERS }, (_, at) => psql(scriptOf(at + 1))));
    isOver = true;
    const others = await Promise.all(beside);
    assert.deepEqual(
      said.filter((text) => text !== ""),
      [],
    );
    for (const { name, rounds, refused } of others) assert.deepEqual(refused, [], `${name}, ${rounds} rounds`);
    const { rows } = await gateway.database.client.query<{ username: string; filter: string }>(
      `select username, filter from portolan.rules where schema = 'town' order by substr(username, 2)::int`,
    );
    assert.deepEqual(
      rows,
      Array.from({ length: WRITERS }, (_, at) => ({ username: `u${at + 1}`, filter: `id = ${ROUNDS}` })),
    );
    for (let writer = 1; writer <= WRITERS; writer++) {
      const { body } = await gateway.graphql(`u${writer}`, "town", "{ even: getEven { id } odd: getOdd { id } }");
      const seen = (body.data as Record<string, unknown[]>)[tableOf(writer)];
      assert.deepEqual(seen, [{ id: `${ROUNDS}` }], JSON.stringify(body));
    }
  });

  it("leave no job behind that failed", async () => {
    const states = async (): Promise<string[]> => {
      const { rows } = await gateway.database.client.query<{ told: string }>(
        "select kind || ' ' || state || coalesce(': ' || error, '') as told from portolan.jobs where state <> 'done'",
      );
      return rows.map(({ told }) => told);
    };
    await until(async () => (await states()).every((told) => told.includes(" failed")));
    assert.deepEqual(await states(), []);
  });
});
