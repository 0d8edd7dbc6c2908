/** Runs one statement with one set of parameters, and hands out its rows. */
import type { Field, UserSqlTransaction, TextRow } from "../../kernel/database/database.ts";
import { GatewayError, SQLSTATE, isOfValue, parameterOf, sqlstateOf } from "../../ground/errors.ts";
import type { Column } from "../../formats/column.ts";
import type { GeometryForm, JsonTaker, WrittenTaker } from "../../formats/writer.ts";
import { columnsOf } from "../values/columns.ts";
import { convertRows, isConverted } from "../values/convert.ts";
import { dateFormatOf } from "../dates/dateFormat.ts";
import { inputOf } from "../values/input.ts";
import { jsonStatement } from "../values/jsonRows.ts";
import type { Params, Runnable } from "../method.ts";
import { located, type Prepared } from "../statement/prepare.ts";
import type { ColumnType } from "../../types/columnType.ts";

export interface RunOptions {
  readonly transaction: UserSqlTransaction;
  readonly prepared: Prepared;
  readonly runnable: Runnable;
  readonly params: Params;
  /** Rows that come at a time. Default 10,000. */
  readonly portion?: number;
  /** Bytes of a portion, as of `UserSqlRun`. */
  readonly portionBytes?: number;
  /** How many rows have come before, of the same call. */
  readonly rowsBefore: number;
  /** Takes the columns before any row, once for each run; not for a statement that returns no rows. */
  onColumns(columns: readonly Column[]): void | Promise<unknown>;
  /** Takes rows as JSON objects, where PostgreSQL can make them. */
  readonly json?: JsonTaker | undefined;
  /** Takes rows as bytes, where nothing is to be converted. */
  readonly written?: WrittenTaker | undefined;
  /** How the first column that is a geometry is given. Default: as GeoJSON. */
  readonly form?: GeometryForm | undefined;
  /** No other run follows. */
  readonly last?: boolean;
  /** As in `UserSqlRun`. */
  readonly early?: boolean;
  /** Takes rows, converted so that each column's `output` understands them. */
  onRows(rows: readonly TextRow[]): void | Promise<unknown>;
}

export interface RunOutcome {
  readonly hasRows: boolean;
  readonly rows: number;
  /** Rows written, where the statement returns none. */
  readonly affected: number;
}

const PORTION = 10_000;

/** Throws `INVALID_PARAMS` naming the parameter, `LIMIT_EXCEEDED` over `max_rows`, and PostgreSQL's errors. */
export async function run(options: RunOptions): Promise<RunOutcome> {
  const { transaction, prepared, runnable, params, json, written } = options;
  const values = bind(prepared, runnable, params);
  const most = runnable.maxRows ?? Infinity;
  let rows = 0;
  let columns: readonly Column[] | undefined;
  const columnsFor = (fields: readonly Field[]): readonly Column[] =>
    (columns ??= columnsOf(prepared, fields, runnable));
  let hasBegun = false;
  async function begin(fields: readonly Field[], count: number): Promise<void> {
    rows += count;
    if (options.rowsBefore + rows > most)
      throw new GatewayError("LIMIT_EXCEEDED", `The result has more than ${most} rows`, { sqlstate: "54000" });
    if (!hasBegun && (fields.length > 0 || count > 0)) await options.onColumns(columnsFor(fields));
    hasBegun = true;
  }
  try {
    const outcome = await transaction.run({
      text: prepared.statement.text,
      name: prepared.name,
      types: prepared.hinted,
      values,
      portion: Math.min(options.portion ?? PORTION, most + 1),
      portionBytes: options.portionBytes,
      timeoutMs: runnable.timeoutMs,
      early: (options.early ?? false) && runnable.timeoutMs === undefined,
      last: (options.last ?? false) && prepared.reach !== undefined, // a long result is requested again where COMMIT was sent along
      json: json && {
        after: json.after,
        many: json.many,
        statementFor: (fields) => jsonStatement(prepared, fields, columnsOf(prepared, fields, runnable)),
        async onRows(bytes, count, fields) {
          await begin(fields, count);
          return json.add(bytes);
        },
      },
      written: written && {
        writerFor(fields) {
          const wanted = columnsFor(fields);
          return isConverted(wanted) ? undefined : written.writerFor(wanted);
        },
        async onRows(bytes, count, fields) {
          await begin(fields, count);
          return written.add(bytes);
        },
      },
      async onRows(portion, fields) {
        const converted = await convertRows(transaction, columnsFor(fields), portion, {
          srs: runnable.srs,
          form: options.form,
        });
        await begin(fields, portion.length); // so that an error of the first rows comes before any part of a document
        if (portion.length > 0) await options.onRows(converted);
      },
    });
    const hasRows = outcome.fields.length > 0;
    return { hasRows, rows, affected: hasRows ? 0 : outcome.rowCount };
  } catch (error) {
    throw named(located(error, prepared.statement), prepared);
  }
}

/** The values of the parameters, in their order. Throws `INVALID_PARAMS` naming the one that is missing, unknown or none of its type. */
export function bind(prepared: Prepared, runnable: Runnable, params: Params): (string | null)[] {
  const { statement, parameters, hinted } = prepared;
  const given = byName(statement.parameters, params);
  for (const name of Object.keys(given))
    if (!statement.parameters.includes(name)) throw badParameter(name, `the method has no parameter ${name}`);
  return statement.parameters.map((name, index) => {
    if (!Object.hasOwn(given, name) || given[name] === undefined) throw badParameter(name, `${name} is missing`);
    const type = parameters[index]!;
    const isGuess = statement.untyped.has(name) && hinted[index] === 0;
    try {
      const format = dateFormatOf(runnable.typeFormats, name, type, () => columnType(prepared, name));
      return inputOf(isGuess ? asText(given[name]) : given[name], type, name, format);
    } catch (error) {
      if (error instanceof GatewayError && error.code !== "INVALID_PARAMS")
        throw badParameter(name, error.message, { cause: error, sqlstate: SQLSTATE.invalidTextRepresentation });
      throw error;
    }
  });
}

function columnType({ fields, typeOf }: Prepared, name: string): ColumnType | undefined {
  const field = fields.find((one) => one.name === name);
  return field && typeOf(field.dataTypeID);
}

/** For a parameter that PostgreSQL can only read as text, whatever its meaning. */
function asText(value: unknown): unknown {
  return value === null || typeof value === "string" ? value : JSON.stringify(value);
}

/** The parameters that are null in one of the sets. */
export function nullsIn({ statement }: Prepared, sets: readonly Params[]): ReadonlySet<string> {
  const given = sets.flatMap((params) => Object.entries(byName(statement.parameters, params)));
  return new Set(given.flatMap(([name, value]) => (value === null ? name : [])));
}

function byName(names: readonly string[], params: Params): Readonly<Record<string, unknown>> {
  if (!Array.isArray(params)) return params as Readonly<Record<string, unknown>>;
  if (params.length > names.length)
    throw new GatewayError("INVALID_PARAMS", `the method has ${names.length} parameters, not ${params.length}`);
  return Object.fromEntries(params.map((value, index) => [names[index]!, value]));
}

function badParameter(parameter: string, message: string, options: { cause?: unknown; sqlstate?: string } = {}) {
  return new GatewayError("INVALID_PARAMS", message, { ...options, members: { parameter } });
}

/** Names the parameter that PostgreSQL could not read, from the context of its error. It is the caller's fault. */
function named(error: unknown, { statement }: Prepared): unknown {
  if (error instanceof GatewayError || !isOfValue(error) || statement.parameters.length === 0) return error;
  const number = parameterOf(error);
  const name = number === undefined ? undefined : statement.parameters[number - 1];
  return new GatewayError("INVALID_PARAMS", (error as Error).message, {
    sqlstate: sqlstateOf(error),
    cause: error,
    members: name === undefined ? {} : { parameter: name },
  });
}
