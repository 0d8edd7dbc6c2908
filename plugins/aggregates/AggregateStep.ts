/** The groups of an aggregate in a plan. They are one JSON text: a list of rows, each a list of texts. */
import { lambda, UnbatchedStep, type Step } from "postgraphile/grafast";
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { Column, Relation } from "../../server/filter/tree.ts";
import { rowOf } from "../../server/types/table.ts";
import type { AggregateQuery, Period } from "./aggregateQuery.ts";
import { countToInt, type Operation, type Result } from "./aggregateResults.ts";

type Row = readonly (string | null)[];
type ToText = (query: AggregateQuery) => SQL;

/** The values of each group that the fields of a selection need. They are known when the selection has been planned. */
export class Wanted {
  readonly #values: ToText[] = [];

  /** Adds a value. Returns its place in a row. */
  add(toText: ToText): number {
    return this.#values.push(toText) - 1;
  }

  /** A row as an array of text. */
  select(query: AggregateQuery): SQL {
    return sql`array[${sql.join(
      this.#values.map((toText) => toText(query)),
      ", ",
    )}]::pg_catalog.text[] as v`;
  }
}

/** All groups as one expression: the text of a JSON list. */
export function groupsToText(query: AggregateQuery, wanted: Wanted, join?: (rows: SQL) => SQL): SQL {
  const r = sql.identifier(Symbol("r"));
  const groups = query.toSql(() => wanted.select(query), join);
  return sql`(select coalesce(pg_catalog.json_agg(${r}.v), '[]')::pg_catalog.text from (${groups}) as ${r})`;
}

function textOf({ sql: value, type }: Result): SQL {
  const { toText } = rowOf(type).value;
  return toText ? toText(value, type) : sql`${value}::pg_catalog.text`;
}

/** The list of groups, from its text. */
export class GroupsStep extends UnbatchedStep<readonly Row[]> {
  static override $$export = { moduleName: "portolan", exportName: "GroupsStep" };
  override isSyncAndSafe = true;
  readonly #wanted: Wanted;

  constructor($text: Step<string | null>, wanted: Wanted) {
    super();
    this.#wanted = wanted;
    this.addDependency($text);
  }

  listItem($row: Step<Row>): GroupStep {
    return new GroupStep($row, this.#wanted, { relations: [] });
  }

  override unbatchedExecute(_extra: unknown, text: string): readonly Row[] {
    return JSON.parse(text) as Row[];
  }
}

interface Place {
  /** The results that the selection reads; undefined for a value that all rows of the group share. */
  readonly operation?: Operation;
  readonly relations: readonly Relation[];
}

/** One group, or a part of it. */
export class GroupStep extends UnbatchedStep<Row> {
  static override $$export = { moduleName: "portolan", exportName: "GroupStep" };
  override isSyncAndSafe = true;
  readonly #wanted: Wanted;
  readonly #place: Place;

  constructor($row: Step<Row>, wanted: Wanted, place: Place) {
    super();
    this.#wanted = wanted;
    this.#place = place;
    this.addDependency($row);
  }

  results(operation: Operation): GroupStep {
    return new GroupStep(this.getDep(0), this.#wanted, { operation, relations: [] });
  }

  parent(relation: Relation): GroupStep {
    return new GroupStep(this.getDep(0), this.#wanted, { relations: [...this.#place.relations, relation] });
  }

  count(): Step {
    return this.#value((query) => countToInt(query.count().sql), Number);
  }

  result(column: Column, toValue: (text: string) => unknown): Step {
    const { operation } = this.#place;
    if (operation === "countDistinct")
      return this.#value((query) => countToInt(query.result(operation, column).sql), Number);
    return this.#value((query) => textOf(query.result(operation!, column)), toValue);
  }

  group(column: Column, period: Period | undefined): Step {
    const { relations } = this.#place;
    const { fromText = (text: string) => text } = rowOf(column.type).value;
    return this.#value((query) => textOf(query.group(relations, column, period)), fromText);
  }

  #value(toSql: ToText, fromText: (text: string) => unknown): Step {
    const place = this.#wanted.add((query) => sql`(${toSql(query)})::pg_catalog.text`);
    return lambda(
      this.getDep(0) as Step<Row>,
      (row) => {
        const text = row[place];
        return text === null || text === undefined ? null : fromText(text);
      },
      true,
    );
  }

  override unbatchedExecute(_extra: unknown, row: Row): Row {
    return row;
  }
}
