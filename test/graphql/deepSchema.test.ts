import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { programEnv } from "../support/programEnv.ts";

/** Tables in a chain, and stacks in kB: a gateway has 3900, which is enough for more than 500 tables. */
const TABLES = 150;
const [SMALL, LARGE] = [400, 3900];

describe("tables that refer to each other in a chain", () => {
  let database: TestDatabase;

  before(async () => {
    database = await testDatabase({ kind: "portolan" });
    await database.client.query(`
create schema s;
do $$ begin
  for i in 1..${TABLES} loop
    execute format('create table s.t%s (id int primary key, parent_id int references s.t%s)', i, greatest(i - 1, 1));
  end loop;
end $$`);
  });
  after(() => database.drop());

  async function build(stack: number): Promise<string> {
    const script = join(import.meta.dirname, "deepSchema.ts");
    const { stdout } = await promisify(execFile)(
      process.execPath,
      [`--stack-size=${stack}`, script, database.name, database.gatewayUrl],
      { env: programEnv() },
    );
    return stdout.trim();
  }

  it("make a schema if the stack has room for them, and otherwise report the missing room", async () => {
    assert.equal(await build(LARGE), "built");
    assert.match(await build(SMALL), /^Error: more tables refer to each other in a row than the stack .* --stack-size/);
  });
});
