/** A page of rows as JSON that PostgreSQL makes. Its rows are read once, whatever is selected. */
import { getNamedType, isObjectType, type FieldNode, type GraphQLField } from "graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { countToInt } from "../../../plugins/aggregates/aggregateResults.ts";
import type { PageQuery } from "../../../plugins/rows/pageQuery.ts";
import type { TableResource } from "../../../plugins/tables/resources.ts";
import type { Selections, Variables } from "./jsonGroups.ts";

type Field = GraphQLField<unknown, unknown>;
type Nodes = readonly FieldNode[];

/** A value by its response key. */
export type Named = readonly [key: string, value: SQL];

/** How selections of a page are read; all methods throw where a query is not a plain read. */
export interface PageSelections extends Selections {
  /** The rows that are read. */
  readonly alias: SQL;
  /** The values of an object of such a row, each with its response key. */
  row(field: Field, nodes: Nodes): (variables: Variables) => readonly Named[];
}

/**
 * The rows of a page. Each wanted value becomes an array over all rows that were read, so that a row can be picked by
 * its place, and the extra row left out.
 */
class PageRows {
  readonly query: PageQuery;
  readonly #resource: TableResource;
  readonly #alias: SQL;
  readonly #rows = sql.identifier(Symbol("rows"));
  readonly #page = sql.identifier(Symbol("page"));
  readonly #columns = new Map<string, SQL>();
  readonly #arrays = new Map<string, SQL>();
  #texts: readonly SQL[] | undefined;
  #readsOneMore = false;
  #isRead = false;

  constructor(resource: TableResource, query: PageQuery, alias: SQL) {
    this.#resource = resource;
    this.query = query;
    this.#alias = alias;
  }

  /** A value of each row, by an expression over rows of `alias`. */
  column(value: SQL): SQL {
    const name = `c${this.#columns.size}`;
    this.#columns.set(name, value);
    return sql`${this.#rows}.${sql.identifier(name)}`;
  }

  /** The texts of a row's place. */
  get #place(): readonly SQL[] {
    return (this.#texts ??= this.query.textsOf(this.#alias).map((text) => this.column(text)));
  }

  #array(value: SQL): SQL {
    const name = `a${this.#arrays.size}`;
    this.#arrays.set(name, sql`pg_catalog.array_agg(${value})`);
    return sql`${this.#page}.${sql.identifier(name)}`;
  }

  /** How many rows were read. */
  get #count(): SQL {
    this.#isRead = true;
    return sql`${this.#page}.n`;
  }

  /** The cursor of each row. */
  cursor(): SQL {
    return this.query.cursorOf(this.#place);
  }

  /** Whether there are more rows in the direction of reading. */
  hasMore(): SQL {
    this.#readsOneMore = true;
    return sql`(${this.#count} > ${sql.literal(this.query.limit)})`;
  }

  /** The list of a value of each row of the page, in the order of the list. */
  list(value: SQL): SQL {
    const values = this.#array(value);
    const most = sql.literal(this.query.limit);
    if (!this.query.backwards) return sql`coalesce(pg_catalog.to_json((${values})[:${most}]), '[]')`;
    const each = sql.identifier(Symbol("each"));
    return sql`(select coalesce(pg_catalog.json_agg(${each}.v order by ${each}.n desc), '[]') from pg_catalog.unnest(${values}) with ordinality as ${each} (v, n) where ${each}.n <= ${most})`;
  }

  /** The cursor of the first or the last row of the page; null where it has none. */
  end(end: "start" | "end"): SQL {
    const { limit, backwards } = this.query;
    const last = sql`least(${this.#count}, ${sql.literal(limit)})::pg_catalog.int4`;
    const at = (end === "start") === backwards ? last : sql`1`;
    const texts = this.#place.map((text) => sql`(${this.#array(text)})[${at}]`);
    return sql`(case when ${last} > 0 then ${this.query.cursorOf(texts)} end)`;
  }

  total(): SQL {
    const alias = sql.identifier(Symbol("all"));
    const count = countToInt(sql`pg_catalog.count(*)`);
    return sql`(select ${count} from ${this.#from} as ${alias}${where(this.query.filter(alias))})`;
  }

  get #from(): SQL {
    return this.query.from ?? (this.#resource.from as SQL);
  }

  /** `selected`: expressions over the results of the rows. */
  toSql(selected: SQL): SQL {
    const { conditions, orders, limit } = this.query;
    const alias = this.#alias;
    const columns = named(this.#columns);
    // where no field of the rows is selected, none is read, but the caller must still have the right to the columns in
    // arguments
    const isWanted = this.#arrays.size > 0 || this.#isRead;
    const most = sql.literal(!isWanted ? 0 : this.#readsOneMore ? limit + 1 : limit);
    const read = sql`select ${columns.length > 0 ? sql.join(columns, ", ") : sql`1 as one`} from ${this.#from} as ${alias}${where(conditions(alias))} order by ${sql.join([...orders(alias)], ", ")} limit ${most}`;
    const arrays = [sql`pg_catalog.count(*) as n`, ...named(this.#arrays)];
    return sql`select ${selected} from (select ${sql.join(arrays, ", ")} from (${read}) as ${this.#rows}) as ${this.#page}`;
  }
}

function named(values: ReadonlyMap<string, SQL>): SQL[] {
  return [...values].map(([name, value]) => sql`${value} as ${sql.identifier(name)}`);
}

function where(conditions: readonly SQL[]): SQL {
  return conditions.length === 0
    ? sql.blank
    : sql` where ${sql.join(
        conditions.map((condition) => sql`(${condition})`),
        " and ",
      )}`;
}

type Part = (rows: PageRows, variables: Variables) => SQL;

/** The page as one value of JSON. */
export function selectPage(
  selections: PageSelections,
  field: Field,
  nodes: Nodes,
  resource: TableResource,
): (query: PageQuery, variables: Variables) => SQL {
  const select = objectOf(selections, field, nodes);
  return (query, variables) => {
    const rows = new PageRows(resource, query, selections.alias);
    const p = sql.identifier(Symbol("p"));
    const selected = select(rows, variables);
    return sql`(select row_to_json(${p}) from (${rows.toSql(selected)}) as ${p})`;
  };
}

/** The select list of an object's fields, each named by its response key. */
function objectOf(selections: PageSelections, field: Field, nodes: Nodes): Part {
  const type = getNamedType(field.type);
  if (!isObjectType(type)) return selections.refuse();
  const parts = [...selections.collect(nodes)].map(([key, inner]): Part => {
    const part =
      inner[0]!.name.value === "__typename"
        ? () => sql`${sql.literal(type.name)}::text`
        : partOf(selections, selections.look(type, inner[0]!), inner);
    return (...given) => sql`${part(...given)} as ${sql.identifier(key)}`;
  });
  return (...given) =>
    sql.join(
      parts.map((part) => part(...given)),
      ", ",
    );
}

function partOf(selections: PageSelections, { field, metadata }: ReturnType<Selections["look"]>, nodes: Nodes): Part {
  switch (metadata.kind) {
    case "pageNodes": {
      const row = rowOf(selections, field, nodes);
      return (rows, variables) => rows.list(row(rows, variables));
    }
    case "pageEdges": {
      const edge = toObject(objectOf(selections, field, nodes));
      return (rows, variables) => rows.list(edge(rows, variables));
    }
    case "edgeNode":
      return rowOf(selections, field, nodes);
    case "edgeCursor":
      return (rows) => rows.cursor();
    case "pageInfo":
      return toObject(objectOf(selections, field, nodes));
    case "pageMore": {
      const isNext = metadata.side === "next";
      return (rows) => {
        const { backwards, isAfter, isBefore } = rows.query;
        if (isNext ? isBefore : isAfter) return sql.true;
        return backwards === isNext ? sql.false : rows.hasMore();
      };
    }
    case "pageCursor": {
      const { end } = metadata;
      return (rows) => rows.end(end);
    }
    case "pageTotal":
      return (rows) => rows.total();
    default:
      return selections.refuse();
  }
}

function toObject(part: Part): Part {
  const o = sql.identifier(Symbol("o"));
  return (...given) => sql`(select row_to_json(${o}) from (select ${part(...given)}) as ${o})`;
}

/**
 * An object of each row of the page. The rows give the plain values: an object is made of the page alone, and not of each row
 * that PostgreSQL sorts for it.
 */
function rowOf(selections: PageSelections, field: Field, nodes: Nodes): Part {
  const valuesOf = selections.row(field, nodes);
  return toObject((rows, variables) => {
    const values = valuesOf(variables).map(([key, value]) => sql`${rows.column(value)} as ${sql.identifier(key)}`);
    return sql.join(values, ", ");
  });
}
