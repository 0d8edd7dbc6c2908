/** Statements over the rows of a table: as an account, logged in as it, or as the owner of the database. */
import type { Command } from "commander";
import type { Database, Identity } from "../kernel/database/database.ts";
import { OperatorError } from "../ground/errors.ts";
import type { Run } from "../management/import/target.ts";
import { print, printRows, valuesOf, withDatabase, type Row } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";

export interface AccountOption extends DatabaseOption {
  readonly as?: string;
}

/** The relations of a statement. */
export interface Over {
  /** SQL that gives the relations as `relation`. Default the first argument. */
  readonly relations?: string;
  readonly values: readonly unknown[];
  readonly writes: boolean;
}

/** Runs `work` in a transaction, which ends with COMMIT if it `keeps`. */
export type Transact = <T>(keeps: boolean, work: (run: Run) => Promise<T>) => Promise<T>;

/** Adds `--database` and `--as`. */
export function withAccount(command: Command): Command {
  return withDatabase(command).option(
    "--as <name>",
    "the account whose rights count; default: the owner of the database, for whom no code of untrusted roles runs",
  );
}

/** Like `listing`, for a statement over rows. */
export function listingRows(command: Command, text: string, relations?: string): Command {
  return withAccount(command)
    .option("--json", "as JSON")
    .action(async () => {
      const { json, ...options } = command.opts<AccountOption & { json?: boolean }>();
      const asJson = `select row_to_json(r)::text as json from (${text}) r`;
      const rows = await runOver<{ json: string }>(options, asJson, {
        values: valuesOf(command),
        writes: false,
        ...(relations !== undefined && { relations }),
      });
      printRows(
        rows.map((row) => JSON.parse(row.json) as Row),
        json,
      );
    });
}

/** Like `calling`, for a statement that writes rows. */
export function callingRows(command: Command, text: string, sentence: (...values: string[]) => string): Command {
  return withAccount(command).action(async () => {
    const values = valuesOf(command);
    await runOver(command.opts<AccountOption>(), text, { values, writes: true });
    print(sentence(...(values as string[])));
  });
}

function runOver<R>(options: AccountOption, text: string, over: Over): Promise<readonly R[]> {
  return withOwner(options, async (database) => {
    const transact = await transactOf(database, options.as, over);
    return transact(true, (run) => run<R>(text, over.values));
  });
}

/** How to run statements. Throws `OperatorError` where the owner of the database would run code of roles that are not trusted. */
export async function transactOf(database: Database, as: string | undefined, over: Over): Promise<Transact> {
  if (as === undefined) {
    await refuseAuthors(database, over);
    return asOwner(database);
  }
  const identity = await identityOf(database, as);
  return (keeps, work) =>
    database.withIdentity(identity, { service: "graphql" }, (transaction) => {
      if (!keeps) transaction.rollbackOnly();
      return work(
        async <R>(text: string, values: readonly unknown[]) => (await transaction.query<R>({ text, values })).rows,
      );
    });
}

const AUTHOR = (relations: string): string => `
select o.owner, r.relation::text from (${relations}) r cross join lateral portolan.code_owners(r.relation) o
where o.reads or WRITES limit 1`;

async function refuseAuthors({ db }: Database, { relations, values, writes }: Over): Promise<void> {
  const text = AUTHOR(relations ?? "select $1::regclass as relation").replace("WRITES", String(writes));
  const found = await db.oneOrNone<{ owner: string; relation: string }>(text, relations ? [] : [values[0]]);
  if (found)
    throw new OperatorError(
      `${found.relation} runs code of the untrusted role ${found.owner}, which would have the rights of the owner of the database: name an account with --as`,
    );
}

function asOwner({ db }: Database): Transact {
  return (keeps, work) =>
    db.task(async (connection) => {
      const run: Run = (text, values) => connection.any(text, [...values]);
      await run("begin", []);
      try {
        const result = await work(run);
        await run(keeps ? "commit" : "rollback", []);
        return result;
      } catch (error) {
        await run("rollback", []).catch(() => undefined); // the first error is the one to report
        throw error;
      }
    });
}

async function identityOf(database: Database, name: string): Promise<Identity> {
  const [{ accountIdentity }, { findAccount }] = await Promise.all([
    import("../kernel/identity/identity.ts"),
    import("../kernel/identity/tokens.ts"),
  ]);
  const account = await findAccount(database, name.toLowerCase());
  if (!account) throw new OperatorError(`there is no account "${name}"`);
  return accountIdentity(database, account);
}
