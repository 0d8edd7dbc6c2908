/** What PostgreSQL shows an account of the twins, logged in as its role, past the gateway; and what rules leave of it. */
import pg from "pg";
import type { TestDatabase } from "../../support/databases.ts";
import type { Rights, Service } from "./rights.ts";
import { roleOf, twinOf, type Account, type Relation } from "./world.ts";

/** Texts; what is null is left out, as tiles do. */
export type Row = Readonly<Record<string, string>>;

export interface Seen {
  /** All that may be selected, the geometry too. */
  readonly columns: readonly string[];
  /** In the order of `id`, with all of these columns but the geometry. */
  readonly rows: readonly Row[];
  /** Whether a rule denies it. */
  readonly isDenied: boolean;
}

export interface Asked {
  readonly account: Account;
  readonly relation: Relation;
  readonly service: Service;
  /** SQL. */
  readonly condition?: string;
  /** Of `kept`: as it was at first. */
  readonly then?: boolean;
}

export class Truth {
  readonly #database: TestDatabase;
  readonly #rights: Rights;
  readonly #pool: pg.Pool;
  #known = new Map<string, Promise<never>>();

  constructor(database: TestDatabase, rights: Rights) {
    this.#database = database;
    this.#rights = rights;
    this.#pool = new pg.Pool({ connectionString: database.url, max: 3 });
    this.#pool.on("error", () => undefined);
  }

  /** After a change. */
  forget(): void {
    this.#known = new Map();
  }

  close(): Promise<void> {
    return this.#pool.end();
  }

  /** "refused": no right to select, or not to what the condition names. */
  async of(asked: Asked): Promise<Seen | "refused"> {
    const { account, relation, service, condition = "true", then = false } = asked;
    const twin = `${twinOf(relation.schema)}.${relation.table}${then ? "_then" : ""}`;
    const columns = await this.#once(`${account.name} ${twin}`, () => this.#columns(account, twin));
    if (columns.length === 0) return "refused";
    const selected = await this.#once(`${account.name} ${twin} ${condition}`, () =>
      this.#rows(account, twin, columns, condition),
    );
    if (selected === "refused") return selected;
    const shown = relation.hasWorkflow && (await this.#idsOf(twin, this.#workflow(account, relation)));
    const rows = shown ? selected.filter(({ id }) => shown.has(id!)) : selected;
    const rule = this.#rights.ruleFor(account, relation, service);
    const isDenied = rule?.access === "deny";
    if (isDenied) return { columns, rows: [], isDenied };
    const filter = this.#rights.ruleFilter(account, relation, service);
    if (filter === undefined) return { columns, rows, isDenied };
    const ids = await this.#idsOf(twin, filter);
    return { columns, rows: rows.filter(({ id }) => ids.has(id!)), isDenied };
  }

  /** Whether it has a right to write the relation, and no rule denies it everything there. */
  async mayWrite(account: Account, relation: Relation, service: Service): Promise<boolean> {
    if (this.#rights.ruleFor(account, relation, service)?.access === "deny") return false;
    const twin = `${twinOf(relation.schema)}.${relation.table}`;
    const [found] = (await this.#as(
      account,
      `select has_table_privilege('${twin}', 'insert, update, delete') or has_any_column_privilege('${twin}', 'insert, update') as may`,
    )) as readonly { may: boolean }[];
    return found!.may;
  }

  /** Whether a rule lets the account write a row as it is. */
  async meetsRule(account: Account, relation: Relation, service: Service, id: number): Promise<boolean> {
    const filter = this.#rights.ruleFilter(account, relation, service);
    return (
      filter === undefined ||
      (await this.#idsOf(`${twinOf(relation.schema)}.${relation.table}`, filter)).has(String(id))
    );
  }

  /**
   * How many rows each statement writes on the twin, which is written `$T`. Nothing of it stays. "refused": no right to one of
   * them; "conflict": a row is there already.
   */
  async written(account: Account, { schema, table }: Relation, statements: readonly string[]) {
    const text = statements.join("; ").replaceAll("$T", `${twinOf(schema)}.${table}`);
    try {
      const results = await this.#resultsAs(account, text);
      return results.slice(-statements.length).map(({ rowCount }) => rowCount ?? 0);
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === "42501") return "refused";
      if (code === "23505") return "conflict";
      throw error;
    }
  }

  #idsOf(twin: string, filter: string): Promise<ReadonlySet<string>> {
    return this.#once(`${twin} ${filter}`, async () => {
      const { rows } = await this.#pool.query<{ id: string }>(`select id::text from ${twin} where ${filter}`);
      return new Set(rows.map(({ id }) => id));
    });
  }

  /** What the account sees of a workflow: reviewers all, authors what is published and their own, the others what is published. */
  #workflow(account: Account, relation: Relation): string {
    const level = this.#rights.workflowLevel(account, relation);
    if (level >= 2) return "true";
    const own = level === 1 ? ` or portolan_workflow ->> 'author' = '${account.name}'` : "";
    return `portolan_status = 3${own}`;
  }

  #once<T>(key: string, make: () => Promise<T>): Promise<T> {
    const known = this.#known.get(key) ?? make();
    this.#known.set(key, known as Promise<never>);
    return known as Promise<T>;
  }

  async #columns(account: Account, twin: string): Promise<readonly string[]> {
    const rows = (await this.#as(
      account,
      `select attname::text as name from pg_attribute where attrelid = '${twin}'::regclass and attnum > 0 and not attisdropped
and has_column_privilege(attrelid, attnum, 'select')`,
    )) as readonly { name: string }[];
    return rows.map(({ name }) => name);
  }

  async #rows(
    account: Account,
    twin: string,
    columns: readonly string[],
    condition: string,
  ): Promise<readonly Row[] | "refused"> {
    const listed = columns.filter((name) => name !== "geom").map((name) => `'${name}', "${name}"::text`);
    try {
      const rows = await this.#as(
        account,
        `select json_strip_nulls(json_build_object(${listed.join(", ")})) as row from ${twin} where ${condition} order by id`,
      );
      return (rows as readonly { row: Row }[]).map(({ row }) => row);
    } catch (error) {
      if ((error as { code?: string }).code === "42501") return "refused";
      throw error;
    }
  }

  async #as(account: Account, text: string): Promise<readonly unknown[]> {
    return (await this.#resultsAs(account, text)).at(-1)!.rows;
  }

  /** A session that is the account's role, as psql's would be after a login. */
  async #resultsAs(account: Account, text: string): Promise<readonly pg.QueryResult[]> {
    const client = await this.#pool.connect();
    try {
      return (await client.query(`begin; set local session authorization "${roleOf(this.#database, account.name)}";
select set_config('jwt.claims.sub', '${account.name}', true); ${text}`)) as unknown as pg.QueryResult[];
    } finally {
      await client.query("rollback; reset all");
      client.release();
    }
  }
}
