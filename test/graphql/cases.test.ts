/**
 * A case is a folder: `schema.sql`, the GraphQL schema that PostgreSQL's tables give, documents, and their answers. The case
 * `table` has its schema in full (`schema.graphql`); the others list how theirs differs (`schema.txt`, schemaListing.ts).
 * In a document a comment before an operation may say `# role: …` (default `caller`) and `# variables: {…}`; operations
 * run in order. `UPDATE_SNAPSHOTS=1` rewrites the expected files; review their diff.
 */
import assert from "node:assert/strict";
import { existsSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { Kind, TokenKind, parse, print, separateOperations, type OperationDefinitionNode } from "graphql";
import { makeConfig } from "../../server/kernel/config.ts";
import { openDatabase, type Database } from "../../server/kernel/database/database.ts";
import { executeGraphql } from "../../server/graphql/execute.ts";
import { createSchemaRegistry, printSchemaOf, type SchemaRegistry } from "../../server/graphql/build/schemaRegistry.ts";
import { createLog } from "../../server/ground/log.ts";
import { listSchema } from "./schemaListing.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { formatted } from "../support/formatted.ts";

const CASES = join(import.meta.dirname, "cases");
/** The case with which the others are compared. It runs first, so that they see it rewritten. */
const BASE = "table";
const SCHEMA = "app";
const ROLES = ["caller", "stranger"];

interface Step {
  readonly name: string;
  readonly query: string;
  readonly role: string;
  readonly variables: Record<string, unknown>;
}

for (const name of [BASE, ...readdirSync(CASES).filter((other) => other !== BASE)]) {
  const folder = join(CASES, name);
  describe(`graphql: ${name}`, () => {
    let testing: TestDatabase;
    let database: Database;
    let registry: SchemaRegistry;
    /** A gateway on which Grafast answers everything: the answers must be the same. */
    let planning: SchemaRegistry;

    before(async () => {
      testing = await testDatabase({ kind: "portolan" });
      for (const role of ROLES)
        await testing.client.query(
          `do $$ begin create role ${role}; exception when duplicate_object or unique_violation then null; end $$`,
        );
      await testing.client.query(`create schema ${SCHEMA}; grant usage on schema ${SCHEMA} to caller`);
      await testing.client.query(readFileSync(join(folder, "schema.sql"), "utf8"));
      database = openDatabase({
        name,
        url: testing.url,
        poolSize: 1,
        authors: "trust", // the roles of these cases are not accounts
        connectTimeoutMs: 5000,
        statementTimeoutMs: 10_000,
      });
      const options = { config: makeConfig(), log: createLog(process.env["TEST_LOG_LEVEL"] ?? "silent") };
      registry = createSchemaRegistry(options);
      planning = createSchemaRegistry({ ...options, plainReads: false });
    });

    after(async () => {
      await (registry as SchemaRegistry | undefined)?.close();
      await (planning as SchemaRegistry | undefined)?.close();
      await (database as Database | undefined)?.close();
      await testing.drop();
    });

    it("has the schema of its file", async () => {
      const schema = printSchemaOf(await registry.schemaFor(database, SCHEMA));
      if (name === BASE) return expectFile(join(folder, "schema.graphql"), schema);
      const base = readFileSync(join(CASES, BASE, "schema.graphql"), "utf8");
      expectFile(join(folder, "schema.txt"), listSchema(schema, base));
    });

    for (const file of readdirSync(folder).filter((entry) => entry.endsWith(".graphql") && entry !== "schema.graphql"))
      it(`answers ${file} as expected`, async () => {
        const served = await registry.schemaFor(database, SCHEMA);
        const answers: Record<string, unknown> = {};
        for (const step of stepsOf(readFileSync(join(folder, file), "utf8"))) {
          const identity = { database: name, name: step.role, role: step.role, roleMade: false, claims: {} };
          const { text } = await executeGraphql(registry, served, step, { identity });
          const answer = parseAnswer(text);
          answers[step.name] = answer;
          if (!/^\s*query/.test(step.query)) continue;
          const planned = await planning.schemaFor(database, SCHEMA);
          assert.deepEqual(parseAnswer((await executeGraphql(planning, planned, step, { identity })).text), answer);
        }
        const expected = await formatted("answers.json", JSON.stringify(answers));
        expectFile(join(folder, file.replace(/graphql$/, "json")), expected);
      });
  });
}

/** The operations of a document, each on its own. A document that cannot be parsed is one step. */
function stepsOf(text: string): Step[] {
  try {
    const document = parse(text);
    const separate = separateOperations(parse(text));
    return document.definitions
      .filter((definition) => definition.kind === Kind.OPERATION_DEFINITION)
      .map((operation) => {
        const name = operation.name?.value ?? "";
        return { name, query: print(separate[name]!), role: "caller", variables: {}, ...commentsBefore(operation) };
      });
  } catch {
    return [{ name: "", query: text, role: "caller", variables: {} }];
  }
}

function commentsBefore(operation: OperationDefinitionNode): Partial<Step> {
  let found: Partial<Step> = {};
  for (let token = operation.loc?.startToken.prev; token?.kind === TokenKind.COMMENT; token = token.prev) {
    const [, key, value = ""] = /^\s*(role|variables):\s*(.*)$/.exec(token.value) ?? [];
    if (key === "role") found = { ...found, role: value };
    if (key === "variables") found = { ...found, variables: JSON.parse(value) as Record<string, unknown> };
  }
  return found;
}

function parseAnswer(text: string): unknown {
  return JSON.parse(text.replace(/"errorId":"[^"]*"/g, '"errorId":"…"'));
}

function expectFile(path: string, actual: string): void {
  if (process.env["UPDATE_SNAPSHOTS"] === "1" || !existsSync(path)) writeFileSync(path, actual);
  assert.equal(actual, readFileSync(path, "utf8"));
}
