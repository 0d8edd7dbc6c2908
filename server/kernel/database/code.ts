/**
 * Whose code the statements of a request can run. PostgreSQL runs code of a table's owner whenever somebody reads or writes
 * it: policies, triggers, defaults, views. The catalogue says who owns what a statement can reach
 * (`portolan.code_reach`); the code itself is never looked at, since its owner can replace it at any time.
 */
import type { IDatabase } from "pg-promise";
import { isNotMigrated } from "../../ground/errors.ts";
import type { Memory } from "./memory.ts";
import { quoteIdentifier } from "./quote.ts";

/** A relation or a function that a statement reaches, and what it does with it. */
export interface Reached {
  readonly schema: string;
  readonly name: string;
  readonly request: "select" | "insert" | "update" | "delete" | "call";
}

/** The reach of a statement that reads catalogues, and calls functions of Portolan which read no table of a user. */
export const CATALOGUE: readonly Reached[] = [];

/** A role that is not trusted, and the relation or function through which a statement can run its code. */
export interface Author {
  readonly owner: string;
  readonly via: string;
}

/** What a statement can run. */
export interface Runs {
  /** Whether that is more than PostgreSQL's, Portolan's and extensions' code. */
  readonly isCode: boolean;
  /** An author whose code is in it. Undefined: all of it is trusted. */
  readonly author: Author | undefined;
}

/** `n`: nothing but PostgreSQL's, Portolan's and extensions' code runs. `t`: code of trusted roles. `a`: an author's. */
type Level = "n" | "t" | "a";

interface Row {
  /** r: relation, f: function. */
  readonly kind: "r" | "f";
  readonly schema: string;
  readonly name: string;
  readonly reads: Level;
  readonly writes: Level;
  /** The author, where the level is `a`. */
  readonly reader: string | null;
  readonly writer: string | null;
}

interface Known {
  /** What runs code at all, by kind and qualified name. Functions of one name are taken together. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Any author; undefined where there is none. */
  readonly author: Author | undefined;
}

const READ = `
select c.kind, n.nspname as schema, coalesce(r.relname, f.proname) as name, c.reads, c.writes, c.reader, c.writer
from portolan.code_reach() c
  left join pg_class r on c.kind = 'r' and r.oid = c.object
  left join pg_proc f on c.kind = 'f' and f.oid = c.object
  join pg_namespace n on n.oid = coalesce(r.relnamespace, f.pronamespace)
where c.writes <> 'n'`;

export class Code {
  readonly #db: IDatabase<object>;
  readonly #memory: Memory;
  readonly #read: (db: IDatabase<object>) => Promise<Known>;

  /** `onRead` is called when rights may have changed, before the answer counts. */
  constructor(db: IDatabase<object>, memory: Memory, onRead: () => Promise<void>) {
    this.#db = db;
    this.#memory = memory;
    this.#read = async (of) => {
      const [known] = await Promise.all([readCode(of), onRead()]);
      return known;
    };
  }

  /** What statements of this reach can run. */
  async judge(reach: readonly Reached[] | undefined): Promise<Runs> {
    if (reach?.length === 0) return NOTHING;
    const { rows: known, author } = await this.#memory.of(this.#db, this.#read);
    if (known.size === 0) return NOTHING;
    if (!reach) return { isCode: true, author };
    let runs = NOTHING;
    for (const { schema, name, request } of reach) {
      const use = request === "select" || request === "call" ? "reads" : "writes";
      const rows = known.get(keyOf(request === "call" ? "f" : "r", schema, name)) ?? [];
      if (rows.some((row) => row[use] !== "n")) runs = { isCode: true, author: runs.author ?? firstAuthor(rows, use) };
    }
    return runs;
  }
}

const NOTHING: Runs = { isCode: false, author: undefined };

function firstAuthor(rows: readonly Row[], use: "reads" | "writes"): Author | undefined {
  const row = rows.find((each) => each[use] === "a");
  if (!row) return undefined;
  const owner = use === "reads" ? row.reader : row.writer;
  return { owner: owner ?? "public", via: `${row.schema}.${row.name}` };
}

async function readCode(db: IDatabase<object>): Promise<Known> {
  try {
    const rows = await db.any<Row>(READ);
    return {
      rows: Map.groupBy(rows, ({ kind, schema, name }) => keyOf(kind, schema, name)),
      author: firstAuthor(rows, "writes"),
    };
  } catch (error) {
    if (isNotMigrated(error)) return { rows: new Map(), author: undefined }; // nor are there own logins
    throw error;
  }
}

function keyOf(kind: Row["kind"], schema: string, name: string): string {
  return `${kind} ${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
