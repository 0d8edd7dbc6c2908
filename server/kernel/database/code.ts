/**
 * Decides whose code the statements of a request can run. PostgreSQL runs code of a table's owner on every read or
 * write: policies, triggers, defaults, views. The catalogue says who owns the objects that a statement can reach
 * (`portolan.code_reach`). The code itself is not analysed, because its owner can replace it at any time.
 */
import type { IDatabase } from "pg-promise";
import { isNotMigrated } from "../../ground/errors.ts";
import type { Memory } from "./memory.ts";
import { quoteIdentifier } from "./quote.ts";

/**
 * A relation or a function that a statement reaches, and how it is used. `names`: a schema in which PostgreSQL looks up
 * names of the statement; it has no `name`.
 */
export interface Reached {
  readonly schema: string;
  readonly name: string;
  readonly request: "select" | "insert" | "update" | "delete" | "call" | "names";
}

/** The reach of a statement that reads catalogues, and calls functions of Portolan that read no table of a user. */
export const CATALOGUE: readonly Reached[] = [];

/** A role that is not trusted, and the relation or function through which a statement can run its code. */
export interface Author {
  /** Undefined where the gateway does not know it yet. `public`: everybody, by a right that everybody has. */
  readonly owner: string | undefined;
  readonly via: string;
}

/** The code that a statement can run. */
export interface Runs {
  /** Whether code runs that is not PostgreSQL's, Portolan's or an extension's. */
  readonly isCode: boolean;
  /** An author whose code runs. Undefined: all of the code is trusted. */
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
  /** The relations and functions that run code, by kind and qualified name. Functions of one name are taken together. */
  readonly rows: ReadonlyMap<string, readonly Row[]>;
  /** Names of all relations and functions, including those that run no code. */
  readonly names: ReadonlySet<string>;
  /** Whether a role that is not trusted owns something, or may make something. */
  readonly hasAuthors: boolean;
  /** The schemas in which such a role decides what a name means. */
  readonly authorsSchemas: ReadonlySet<string>;
  /** Any author; undefined where there is none. */
  readonly author: Author | undefined;
  /** The code that statements can run, for each reach that was judged. */
  readonly judged: WeakMap<readonly Reached[], Runs>;
}

const READ = `
with authors as materialized (
  select portolan.has_authors() as "hasAuthors", array(
    select n.nspname::text from portolan.authors_schemas() s (schema) join pg_namespace n on n.oid = s.schema) as "authorsSchemas"
)
select a.*, c.*
from authors a
  left join (
    select c.kind, n.nspname as schema, coalesce(r.relname, f.proname) as name, c.reads, c.writes, c.reader, c.writer
    from portolan.code_reach() c
      left join pg_class r on c.kind = 'r' and r.oid = c.object
      left join pg_proc f on c.kind = 'f' and f.oid = c.object
      join pg_namespace n on n.oid = coalesce(r.relnamespace, f.pronamespace)
  ) c on true`;

/** Schemas in which only superusers and Portolan's owner can create objects. */
const OWN_SCHEMAS = /^(pg_.*|information_schema|portolan)$/;

export class Code {
  readonly #db: IDatabase<object>;
  readonly #memory: Memory;
  readonly #read: (db: IDatabase<object>) => Promise<Known>;

  /** `onRead` is called when rights may have changed, before the answer counts. */
  constructor(db: IDatabase<object>, memory: Memory, onRead: () => Promise<void>) {
    this.#db = db;
    this.#memory = memory;
    const read = async (of: IDatabase<object>): Promise<Known> => {
      const [known] = await Promise.all([readCode(of), onRead()]);
      return known;
    };
    this.#read = read;
  }

  /** The code that statements of this reach can run. */
  async judge(reach: readonly Reached[] | undefined): Promise<Runs> {
    return reach?.length === 0 ? NOTHING : judgeBy(await this.#memory.of(this.#db, this.#read), reach);
  }

  /** The same at once; undefined where the catalogue has to be asked first. */
  known(reach: readonly Reached[] | undefined): Runs | undefined {
    if (reach?.length === 0) return NOTHING;
    const known = this.#memory.now(this.#read);
    return known && judgeBy(known, reach);
  }
}

function judgeBy(known: Known, reach: readonly Reached[] | undefined): Runs {
  if (known.rows.size === 0 && !known.hasAuthors) return NOTHING;
  if (!reach) return { isCode: true, author: known.author };
  let runs = known.judged.get(reach);
  if (runs) return runs;
  runs = NOTHING;
  for (const one of reach) {
    const found = runsOf(one, known);
    if (found.isCode) runs = { isCode: true, author: runs.author ?? found.author };
  }
  known.judged.set(reach, runs);
  return runs;
}

/**
 * The code that one relation or function of a reach can run. A name that was unknown when the catalogue was read may
 * have been made since by an author, so it never counts as safe.
 */
function runsOf({ schema, name, request }: Reached, known: Known): Runs {
  const { rows: all, names, hasAuthors, authorsSchemas } = known;
  const unknown: Runs = { isCode: true, author: { owner: undefined, via: [schema, name].filter(Boolean).join(".") } };
  if (request === "names") return authorsSchemas.has(schema) ? unknown : NOTHING;
  const use = request === "select" || request === "call" ? "reads" : "writes";
  const key = keyOf(request === "call" ? "f" : "r", schema, name);
  if (hasAuthors && !names.has(key) && !OWN_SCHEMAS.test(schema)) return unknown;
  const rows = all.get(key) ?? [];
  return { isCode: rows.some((row) => row[use] !== "n"), author: firstAuthor(rows, use) };
}

const NOTHING: Runs = { isCode: false, author: undefined };

function firstAuthor(rows: readonly Row[], use: "reads" | "writes"): Author | undefined {
  const row = rows.find((each) => each[use] === "a");
  if (!row) return undefined;
  const owner = use === "reads" ? row.reader : row.writer;
  return { owner: owner ?? "public", via: `${row.schema}.${row.name}` };
}

/** There are no own logins either. */
const NOT_MIGRATED: Known = {
  rows: new Map(),
  names: new Set(),
  hasAuthors: false,
  authorsSchemas: new Set(),
  author: undefined,
  judged: new WeakMap(),
};

async function readCode(db: IDatabase<object>): Promise<Known> {
  try {
    const read = await db.any<Row & Pick<Known, "hasAuthors"> & { readonly authorsSchemas: string[] }>(READ);
    const all = read.filter(({ kind }) => kind !== null);
    const rows = all.filter(({ writes }) => writes !== "n");
    return {
      hasAuthors: read[0]?.hasAuthors ?? false,
      authorsSchemas: new Set(read[0]?.authorsSchemas),
      names: new Set(all.map(({ kind, schema, name }) => keyOf(kind, schema, name))),
      rows: Map.groupBy(rows, ({ kind, schema, name }) => keyOf(kind, schema, name)),
      author: firstAuthor(rows, "writes"),
      judged: new WeakMap(),
    };
  } catch (error) {
    if (isNotMigrated(error)) return NOT_MIGRATED;
    throw error;
  }
}

function keyOf(kind: Row["kind"], schema: string, name: string): string {
  return `${kind} ${quoteIdentifier(schema)}.${quoteIdentifier(name)}`;
}
