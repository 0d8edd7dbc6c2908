/**
 * Checks rules before a request runs. Under row level security a denied caller gets no rows and no error. An interface knows
 * the relations that a request accesses, asks here, and refuses the request. PostgreSQL decides (`portolan.check_access`).
 */
import { quoteIdentifier, type Basis, type Database, type Transaction } from "../database/database.ts";
import { sqlstateOf } from "../../ground/errors.ts";
import type { Log } from "../../ground/log.ts";
import { Changed } from "../../ground/retry.ts";

/** A table or view. */
export interface Relation {
  readonly schema: string;
  readonly name: string;
}

/** The kind of statement. */
export type AccessRequest = "select" | "insert" | "update" | "delete";

/** SQLSTATEs of a schema, a function and a view that is not there. */
const NOT_MIGRATED: readonly string[] = ["3F000", "42883", "42P01"];

interface Refusing {
  /** The generation of the rules when this was read. */
  readonly generation: string | undefined;
  readonly names: ReadonlySet<string>;
}

/** An SQL expression: its value changes with the rules. */
const RULES_GENERATION = "(select r.generation::text from portolan.rule_generation r)";

/**
 * Refuses a request on relations where a rule denies it to the role of the transaction. It sends a statement only where
 * some rule denies something on them. A very new rule may not be known here yet; `rulesBasis` of the transaction covers
 * that. Throws PostgreSQL's 42501 (`FORBIDDEN`).
 */
export async function checkAccess(
  database: Database,
  transaction: Transaction,
  relations: readonly Relation[],
  request: AccessRequest = "select",
): Promise<void> {
  const known = await refusingOf(database);
  const names = [...new Set(relations.map(toName))].filter((name) => known.names.has(name));
  if (names.length === 0) return;
  await transaction.query({
    name: "portolan check_access",
    text: "select portolan.check_access($1, $2)",
    values: [names, request],
  });
}

/**
 * Checks the rules for a caller's own statement, by the relations that it reads, in the form in which it names them:
 * parts of a name, completed by the transaction's own search_path. `always`: check also where no rule denies anything,
 * because two limits together may (`portolan.rule`). Throws PostgreSQL's 42501.
 */
export async function checkReads(
  database: Database,
  transaction: Transaction,
  names: readonly (readonly string[])[],
  always = false,
): Promise<void> {
  if (names.length === 0 || !(always || (await deniesAnything(database)))) return;
  await transaction.query({
    text: `
select portolan.check_read_access(array(
  select pg_catalog.to_regclass(n)::pg_catalog.oid from pg_catalog.unnest($1::pg_catalog.text[]) n))`,
    values: [names.map(quoted)],
  });
}

/** Whether there is a rule that denies anything to anybody. */
export async function deniesAnything(database: Database): Promise<boolean> {
  return (await refusingOf(database)).names.size > 0;
}

/** Whether a rule could deny something on one of the relations, so that a check is worth a statement. */
export async function mayBeDenied(database: Database, relations: readonly Relation[]): Promise<boolean> {
  const { names } = await refusingOf(database);
  return relations.some((relation) => names.has(toName(relation)));
}

/**
 * The condition that the rules are still the known ones. If they have changed, `check` throws `Changed`, and the next
 * try reads them again. Undefined where there are no rules.
 */
export async function rulesBasis(database: Database): Promise<Basis | undefined> {
  const { generation } = await refusingOf(database);
  if (generation === undefined) return undefined;
  return {
    sql: RULES_GENERATION,
    expected: generation,
    check(value) {
      if (value === generation) return;
      database.memory.forget();
      throw new Changed("rules");
    },
  };
}

function refusingOf(database: Database): Promise<Refusing> {
  return database.memory.of(database, readRefusing);
}

/** The relations on which a rule denies something to an account. */
async function readRefusing({ db }: Database): Promise<Refusing> {
  try {
    const { generation, relations } = await db.one<{ generation: string; relations: Relation[] }>(
      `select ${RULES_GENERATION} as generation,
  (select coalesce(json_agg(json_build_object('schema', schema, 'name', name)), '[]') from portolan.refusing_relations()) as relations`,
    );
    return { generation, names: new Set(relations.map(toName)) };
  } catch (error) {
    // without Portolan there are no rules
    if (NOT_MIGRATED.includes(sqlstateOf(error) ?? "")) return { generation: undefined, names: new Set() };
    throw error;
  }
}

function toName({ schema, name }: Relation): string {
  return quoted([schema, name]);
}

function quoted(parts: readonly string[]): string {
  return parts.map(quoteIdentifier).join(".");
}

/** The tables that have workflow. */
export async function readWorkflow({ db }: Database): Promise<readonly Relation[]> {
  try {
    return await db.any<Relation>("select schema, name from portolan.workflow_relations()");
  } catch (error) {
    if (NOT_MIGRATED.includes(sqlstateOf(error) ?? "")) return []; // without Portolan there is no workflow
    throw error;
  }
}

const FOLLOW_AGAIN_MS = 500;

/**
 * Brings rules, history and workflow in line with the catalogue after DDL, before new objects are served. Does nothing
 * where an event trigger has done it. Resolves to false where another session holds a needed lock: it runs again in the
 * background, and the catalogue does not count as settled before then.
 */
export async function followDdl(database: Database, log: Log): Promise<boolean> {
  const problems = await database.db.any<{ problem: string; busy: boolean }>("select * from portolan.follow_ddl()");
  for (const { problem, busy } of problems)
    if (!busy)
      log.warn(
        { database: database.name, problem },
        "rules, history or workflow could not be adapted to the catalogue",
      );
  database.memory.forget();
  const isBusy = problems.some(({ busy }) => busy);
  if (isBusy)
    setTimeout(() => {
      followDdl(database, log).catch((error: unknown) =>
        log.warn({ err: error, database: database.name }, "rules could not be adapted to the catalogue"),
      );
    }, FOLLOW_AGAIN_MS).unref();
  return !isBusy;
}
