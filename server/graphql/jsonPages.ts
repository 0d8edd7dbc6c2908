/** A page of rows as JSON that PostgreSQL makes: its rows are read once, whatever is asked of them. */
import { getNamedType, isObjectType, type FieldNode, type GraphQLField } from "graphql";
import { sql, type SQL } from "postgraphile/pg-sql2";
import { countToInt } from "../../plugins/aggregateResults.ts";
import type { PageQuery } from "../../plugins/pageQuery.ts";
import type { TableResource } from "../../plugins/resources.ts";
import type { Selections, Variables } from "./jsonGroups.ts";

type Field = GraphQLField<unknown, unknown>;
type Nodes = readonly FieldNode[];

/** How selections of a page are read; all methods throw where a query is no plain read. */
export interface PageSelections extends Selections {
  /** The rows that are read. */
  readonly alias: SQL;
  /** The select list of an object of such a row, each value named by its response key. */
  row(field: Field, nodes: Nodes): (variables: Variables) => SQL;
}

/** The rows of a page as `page`: `n` is a row's place, from 1 in the order in which they are read, `place` its text. */
class PageRows {
  readonly alias: SQL;
  readonly rows = sql.identifier(Symbol("rows"));
  readonly page = sql.identifier(Symbol("page"));
  readonly query: PageQuery;
  readonly #resource: TableResource;
  readonly #columns: SQL[] = [];
  readonly #results: SQL[] = [];
  #hasPlace = false;

  constructor(resource: TableResource, query: PageQuery, alias: SQL) {
    this.#resource = resource;
    this.query = query;
    this.alias = alias;
  }

  /** A value of each row, by an expression over rows of `alias`. */
  column(value: SQL): SQL {
    const name = sql.identifier(`c${this.#columns.push(value) - 1}`);
    return sql`${this.rows}.${name}`;
  }

  cursor(): SQL {
    return this.query.cursorOf(this.#place());
  }

  #place(): SQL {
    this.#hasPlace = true;
    return sql`${this.rows}.place`;
  }

  /** A value of all rows that were read, by an aggregate over `rows`. */
  result(aggregate: SQL): SQL {
    const name = sql.identifier(`r${this.#results.push(aggregate) - 1}`);
    return sql`${this.page}.${name}`;
  }

  list(value: SQL): SQL {
    return this.result(sql`coalesce(pg_catalog.json_agg(${value}) filter (where ${this.#isOfPage()}), '[]')`);
  }

  #isOfPage(): SQL {
    return sql`${this.rows}.n <= ${sql.literal(this.query.limit)}`;
  }

  hasMore(): SQL {
    return this.result(sql`pg_catalog.count(*) > ${sql.literal(this.query.limit)}`);
  }

  /** The cursor of the first or the last row of the page; null where it has none. */
  end(end: "start" | "end"): SQL {
    const isReadFirst = (end === "start") !== this.query.backwards;
    const limit = sql.literal(this.query.limit);
    const at = isReadFirst ? sql`1` : sql`least(${this.rows}.of, ${limit})`;
    const place = this.result(
      sql`pg_catalog.min(${this.#place()}) filter (where ${this.rows}.n = ${at} and ${this.#isOfPage()})`,
    );
    return this.query.cursorOf(place);
  }

  total(): SQL {
    const alias = sql.identifier(Symbol("all"));
    const count = countToInt(sql`pg_catalog.count(*)`);
    return sql`(select ${count} from ${this.#from} as ${alias}${where(this.query.filter(alias))})`;
  }

  get #from(): SQL {
    return this.query.from ?? (this.#resource.from as SQL);
  }

  /** `selected`: expressions over what `result` gave. */
  toSql(selected: SQL): SQL {
    if (this.#results.length === 0) return sql`select ${selected}`;
    const { conditions, orders, placeOf, limit, backwards } = this.query;
    const { alias, rows, page } = this;
    const read = sql.identifier(Symbol("read"));
    const columns = this.#columns.map((value, index) => sql`${value} as ${sql.identifier(`c${index}`)}`);
    if (this.#hasPlace) columns.push(sql`${placeOf(alias)} as place`);
    const results = this.#results.map((value, index) => sql`${value} as ${sql.identifier(`r${index}`)}`);
    const inOrder = sql`select ${columns.length > 0 ? sql.join(columns, ", ") : sql`1 as one`} from ${this.#from} as ${alias}${where(conditions(alias))} order by ${sql.join([...orders(alias)], ", ")} limit ${sql.literal(limit + 1)}`;
    const numbered = sql`select ${read}.*, pg_catalog.row_number() over () as n, pg_catalog.count(*) over () as of from (${inOrder}) as ${read}${backwards ? sql` order by n desc` : sql.blank}`;
    return sql`select ${selected} from (select ${sql.join(results, ", ")} from (${numbered}) as ${rows}) as ${page}`;
  }
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

/** An object of each row. */
function rowOf(selections: PageSelections, field: Field, nodes: Nodes): Part {
  const select = selections.row(field, nodes);
  const object = toObject((_rows, variables) => select(variables));
  return (rows, variables) => rows.column(object(rows, variables));
}
