/** The stored methods of one database, as each account may see them. */
import { CATALOGUE, type Basis, type Database, type Identity } from "../kernel/database/database.ts";
import { Changed } from "../ground/retry.ts";
import { methodName } from "./definition.ts";
import { toFunctionMethod } from "./functions.ts";
import type { OutputFormat } from "../formats/names.ts";
import type { Found, FunctionRow, Method, FoundTypes } from "./method.ts";

export interface MethodRow {
  readonly method: string;
  readonly q: string;
  readonly type_hints: Record<string, string> | null;
  readonly type_formats: Record<string, string> | null;
  readonly output_format: OutputFormat;
  readonly srs: number;
  readonly input_schema: FoundTypes | null;
  readonly output_schema: FoundTypes | null;
  readonly owner: string | null;
  readonly published: boolean;
  readonly description: string | null;
  readonly timeout_ms: number | null;
  readonly max_rows: number | null;
  readonly cache_seconds: number | null;
  readonly callable: boolean;
}

/** The methods that an account may call, of one generation. */
interface Seen {
  readonly generation: string;
  readonly methods: Map<string, Method>;
}

/** An SQL expression whose value changes with every change of a method. */
const GENERATION = "(select g.generation::text from portolan.method_generation g)";

export class MethodStore {
  readonly #database: Database;
  readonly #schemas: () => readonly string[];
  /** Identities are replaced when an account changes, and these entries with them. */
  #seen = new WeakMap<Identity, Seen>();

  /** `schemas`: the exposed schemas, whose functions may be methods. */
  constructor(database: Database, schemas: () => readonly string[]) {
    this.#database = database;
    this.#schemas = schemas;
  }

  /** Drops the known callable methods, because DDL may have changed functions. */
  clear(): void {
    this.#seen = new WeakMap();
  }

  /** The methods of these names that the account may call, and the generation for which this is valid. */
  async find(identity: Identity, names: readonly string[]): Promise<Seen> {
    const all = this.#seen; // entries that are read during a reset are dropped with the others
    const known = all.get(identity);
    const missing = names.filter((name) => !known?.methods.has(name) && methodName.safeParse(name).success);
    if (known && missing.length === 0) return known;
    const { generation, methods } = await this.#read(identity, missing);
    // an answer of another generation may be outdated
    const base = known?.generation === generation ? known.methods : new Map<string, Method>();
    for (const method of methods) base.set(method.method, method);
    const seen = { generation, methods: base };
    if (known && known.generation !== generation) {
      all.delete(identity);
      return this.find(identity, names);
    }
    all.set(identity, seen);
    return seen;
  }

  /** Drops the methods that an account may call, because they were read in another generation. */
  forget(identity: Identity): void {
    this.#seen.delete(identity);
  }

  /** The condition that the methods are still of this generation, checked with each call. `check` throws `Changed`. */
  basis(generation: string): Basis {
    return {
      sql: GENERATION,
      expected: generation,
      check(value) {
        if (value !== generation) throw new Changed("methods");
      },
    };
  }

  /** The same where no transaction is needed. Throws `Changed`. */
  async confirm(generation: string): Promise<void> {
    const { sql, check } = this.basis(generation);
    check((await this.#database.db.one<{ now: string }>(`select ${sql} as now`)).now);
  }

  /** Stores the types of a dry run, if the statement is still the same. */
  async noteTypes({ method, q }: Method, { inputSchema, outputSchema, relations }: Found): Promise<void> {
    await this.#database.db.func("portolan.note_method_types", [
      method,
      q,
      JSON.stringify(inputSchema),
      JSON.stringify(outputSchema),
      relations,
    ]);
  }

  /** The methods that the account may call, by name. */
  async list(identity: Identity): Promise<Method[]> {
    const { methods } = await this.#read(identity, null);
    return methods.toSorted((a, b) => (a.method < b.method ? -1 : 1));
  }

  /** The functions of these names, or (null) all, that the account may call as methods. */
  async functions(identity: Identity, names: readonly string[] | null): Promise<Method[]> {
    const { methods } = await this.#read(identity, names);
    return methods.filter((method) => method.function);
  }

  async #read(identity: Identity, names: readonly string[] | null): Promise<{ generation: string; methods: Method[] }> {
    const { rows } = await this.#database.withIdentity(
      identity,
      { service: "rpc", readOnly: true, reach: CATALOGUE },
      (transaction) =>
        transaction.query<{ generation: string; stored: MethodRow[]; functions: FunctionRow[] }>({
          text: READ,
          values: [names, this.#schemas()],
          last: true,
        }),
    );
    const { generation, stored, functions } = rows[0]!;
    const methods = stored.filter(({ callable }) => callable).map(toMethod);
    return { generation, methods: [...methods, ...functions.map(toFunctionMethod)] };
  }
}

const READ = `
select
  ${GENERATION} as generation,
  coalesce((select json_agg(m) from portolan.list_methods($1::text[], false) m), '[]') as stored,
  coalesce(
    (select json_agg(f) from portolan.method_functions($2::text[]) f where $1::text[] is null or f.method = any ($1)),
    '[]') as functions`;

/** A row of `portolan.list_methods`. */
export function toMethod(row: MethodRow): Method {
  return {
    method: row.method,
    q: row.q,
    typeHints: row.type_hints ?? {},
    typeFormats: row.type_formats ?? {},
    outputFormat: row.output_format,
    srs: row.srs,
    timeoutMs: row.timeout_ms ?? undefined,
    maxRows: row.max_rows ?? undefined,
    cacheSeconds: row.cache_seconds ?? undefined,
    published: row.published,
    owner: row.owner,
    description: row.description,
    inputSchema: row.input_schema ?? undefined,
    outputSchema: row.output_schema ?? undefined,
  };
}
