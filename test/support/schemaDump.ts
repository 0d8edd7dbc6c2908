/**
 * `sql/schema.sql`: the result of the migrations and the code, as PostgreSQL itself dumps it, for review in one diff.
 * Of a function it has the outside: name, arguments, language, settings and rights. The rest stands in its own file,
 * and so do comments.
 */
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { migrate } from "../../server/operate/migrate.ts";
import { findPostgres } from "../../server/setup/programs.mjs";
import { GATEWAY_LOGIN, stopTestCluster, testDatabase, type TestDatabase } from "./databases.ts";

export const SCHEMA_FILE = join(import.meta.dirname, "../../sql/schema.sql");

const FUNCTION_BODY = /\n {4}AS (\$\w*\$)[\s\S]*?\1;/g;
const COMMENT = /^COMMENT ON (?:FUNCTION|VIEW) .* IS '(?:[^']|'')*';$/gm;

/** The dump of a fresh database after its migration, without the parts that differ between databases or machines. */
export async function dumpSchema({ name, url }: TestDatabase): Promise<string> {
  await migrate({ ownerUrl: url, gatewayLogin: GATEWAY_LOGIN });
  const programs = findPostgres();
  if (!programs) throw new Error("PostgreSQL is not installed");
  const dump = execFileSync(
    join(programs.bin, "pg_dump"),
    ["--schema-only", "--schema=portolan", "--no-owner", "--no-security-labels", url],
    { encoding: "utf8", maxBuffer: 16 * 1024 * 1024 },
  );
  const text = dump
    .split("\n")
    .filter((line) => !/^(--|set |select pg_catalog\.set_config|\\(un)?restrict)/i.test(line))
    .join("\n")
    .replace(FUNCTION_BODY, ";")
    .replace(COMMENT, "")
    .replaceAll(`@${name}`, "@database")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
  return `-- Made by npm run schema:dump on PostgreSQL ${programs.major}; do not edit.\n\n${text}\n`;
}

if (process.argv[1] === import.meta.filename) {
  const database = await testDatabase();
  writeFileSync(SCHEMA_FILE, await dumpSchema(database));
  await database.drop();
  await stopTestCluster();
}
