/** The stored methods of one database, as each account may see them. */
import type { Database, Identity } from "../database.ts";
import type { Found } from "./dryRun.ts";
import type { Method, OutputFormat, FoundTypes } from "./method.ts";

interface MethodRow {
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

/** What an account may call, as of one generation. */
interface Seen {
  readonly generation: string;
  readonly methods: Map<string, Method>;
}

/** An SQL expression: its value changes with every change of a method. It goes along with each call. */
export const GENERATION = "(select g.generation::text from portolan.method_generation g)";

export class MethodStore {
  readonly #database: Database;
  /** Identities are made anew when an account changes, and these go with them. */
  readonly #seen = new WeakMap<Identity, Seen>();

  constructor(database: Database) {
    this.#database = database;
  }

  /** Those of the names that the account may call, and the generation that this is true for. */
  async find(identity: Identity, names: readonly string[]): Promise<Seen> {
    const known = this.#seen.get(identity);
    const missing = names.filter((name) => !known?.methods.has(name));
    if (known && missing.length === 0) return known;
    const { generation, rows } = await this.#read(identity, missing, false);
    // what was read with another generation may have been changed since
    const base = known?.generation === generation ? known.methods : new Map<string, Method>();
    for (const row of rows) if (row.callable) base.set(row.method, toMethod(row));
    const seen = { generation, methods: base };
    if (known && known.generation !== generation) {
      this.#seen.delete(identity);
      return this.find(identity, names);
    }
    this.#seen.set(identity, seen);
    return seen;
  }

  /** Forgets what an account may call: it was read in another generation. */
  forget(identity: Identity): void {
    this.#seen.delete(identity);
  }

  /** The generation that is true now. */
  async generation(): Promise<string> {
    const { generation } = await this.#database.db.one<{ generation: string }>(`select ${GENERATION} as generation`);
    return generation;
  }

  /** Keeps what a dry run has found, if the statement is still the same. */
  async noteTypes({ method, q }: Method, { inputSchema, outputSchema, relations }: Found): Promise<void> {
    await this.#database.db.func("portolan.note_method_types", [
      method,
      q,
      JSON.stringify(inputSchema),
      JSON.stringify(outputSchema),
      relations,
    ]);
  }

  /** All that the account may call, by name. */
  async list(identity: Identity): Promise<Method[]> {
    const { rows } = await this.#read(identity, null, false);
    return rows.map(toMethod);
  }

  async #read(
    identity: Identity,
    names: readonly string[] | null,
    mustExist: boolean,
  ): Promise<{ generation: string; rows: MethodRow[] }> {
    return this.#database.withIdentity(identity, { service: "rpc", readOnly: true }, async (transaction) => {
      const { rows } = await transaction.query<{ generation: string; methods: MethodRow[] }>({
        text: `select ${GENERATION} as generation, coalesce((select json_agg(m) from portolan.list_methods($1::text[], $2) m), '[]') as methods`,
        values: [names, mustExist],
        last: true,
      });
      const [row] = rows;
      return { generation: row?.generation ?? "", rows: row?.methods ?? [] };
    });
  }
}

function toMethod(row: MethodRow): Method {
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
