/** A stored method, as the database keeps it. */
import type { OutputFormat } from "../formats/names.ts";
import type { Identity, ReadPoint } from "../kernel/database/database.ts";

/** Column → its type in PostgreSQL, and whether it is an array of it. */
export type Schema = Readonly<Record<string, { readonly type: string; readonly array: boolean }>>;

/** The types that a dry run found for parameters or columns, by name. */
export type FoundTypes = Readonly<
  Record<
    string,
    {
      readonly type: string;
      readonly array: boolean;
      /** The type as TypeScript writes it, null included. */
      readonly typescript: string;
      readonly optional?: boolean;
    }
  >
>;

/** Facts about a statement that are known without running it. */
export interface Found {
  readonly inputSchema: FoundTypes;
  readonly outputSchema: FoundTypes;
  /** The relations that the statement names, by their numbers. */
  readonly relations: readonly number[];
}

/** The parameters of one run: by name, or by position. */
export type Params = Readonly<Record<string, unknown>> | readonly unknown[];

/** A callable thing: a stored method, a function with the comment `@method`, or a statement of `/sql`. */
export interface Runnable {
  readonly q: string;
  readonly typeHints: Readonly<Record<string, string>>;
  readonly typeFormats: Readonly<Record<string, string>>;
  readonly outputFormat: OutputFormat;
  /** EPSG code of geometries in the result. */
  readonly srs: number;
  readonly timeoutMs?: number | undefined;
  readonly maxRows?: number | undefined;
  /** The function behind a method that is not stored. */
  readonly function?: FunctionRow;
  /** Whether `q` may only read, and may be SHOW or EXPLAIN: `readQuery` reads it. Default false. */
  readonly isQuery?: boolean;
}

/** A function with the comment `@method`. */
export interface FunctionRow {
  readonly method: string;
  readonly schema: string;
  readonly name: string;
  readonly description: string | null;
  readonly arguments: readonly string[];
  /** How many of them have no default. */
  readonly required: number;
  /** Whether it may do more than read. */
  readonly volatile: boolean;
}

export interface Method extends Runnable {
  readonly method: string;
  readonly published: boolean;
  readonly owner: string | null;
  readonly description: string | null;
  readonly cacheSeconds?: number | undefined;
  readonly inputSchema?: FoundTypes | undefined;
  readonly outputSchema?: FoundTypes | undefined;
}

/** The caller, and its address. */
export interface CallContext {
  readonly identity: Identity;
  /** The interface of the call, whose rules count in addition to those of `sql`. Default none. */
  readonly through?: "mcp" | undefined;
  /** Whether a method that writes is refused, with SQLSTATE 25006. Default false. */
  readonly readOnly?: boolean | undefined;
  readonly address?: string | undefined;
  /** Fires when the caller is gone. */
  readonly signal?: AbortSignal | undefined;
  readonly requestId?: string | undefined;
  /** Called with the position of its writes. */
  readonly point?: ReadPoint | undefined;
  /** A request with this key writes once: the header Idempotency-Key. */
  readonly idempotencyKey?: string | undefined;
}
