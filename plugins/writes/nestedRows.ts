/** Rows of data with related rows inside, under the names of their relations: a parent as an object, children as a list. */
import { badInput, GatewayError } from "../../server/ground/errors.ts";
import { Budget } from "../../server/filter/nodes.ts";
import type { Column } from "../../server/filter/tree.ts";
import type { Converted } from "../../server/filter/values.ts";
import { behaves } from "../tables/behaviors.ts";
import type { RelationAccess } from "../tables/relationAccess.ts";
import {
  databaseNameOf,
  isTableResource,
  relationsOf,
  rootTables,
  type AnyRelation,
  type TableResource,
} from "../tables/resources.ts";
import { makeRowReader, writableColumns, type Row } from "./rowData.ts";
import { shapeOf, type TableShape } from "../tables/shapes.ts";

/** The largest number of rows in one insert with related rows, counting all of them. */
const MAX_ROWS = 10_000;

/** A table for inserts, and the relations that its rows may contain. */
export interface InsertTable {
  readonly resource: TableResource;
  readonly shape: TableShape;
  readonly isInsertable: boolean;
  readonly relations: ReadonlyMap<string, InsertRelation>;
  read(json: unknown, path: string, others: (name: string, value: unknown) => boolean): Map<Column, Converted>;
}

/** A foreign key, seen from one of its two tables. */
export interface InsertRelation {
  readonly name: string;
  readonly relation: AnyRelation;
  /** The table at the other end. */
  readonly table: InsertTable;
  /** Whether rows of this table refer to the other table. Otherwise rows of the other table refer to this one. */
  readonly toOne: boolean;
  /** The referencing columns, on either side; undefined where one of them may not be written. */
  readonly referring: readonly Column[] | undefined;
  /** The referenced columns, in the same order. */
  readonly referred: readonly string[];
}

/** A row to be inserted, with its parents and children. */
export interface InsertNode {
  readonly path: string;
  /** The given values. Those of keys are added when the referenced rows have been written. */
  readonly row: Map<Column, Converted>;
  readonly parents: ReadonlyMap<InsertRelation, InsertNode>;
  readonly children: ReadonlyMap<InsertRelation, readonly InsertNode[]>;
}

const NONE: ReadonlyMap<InsertRelation, never> = new Map<InsertRelation, never>();

const tables = new WeakMap<TableResource, InsertTable>();

/**
 * The names that an insert into a table may use. It is made once for each build; relations are read when first needed.
 */
export function insertTable(build: GraphileBuild.Build, resource: TableResource): InsertTable {
  const known = tables.get(resource);
  if (known) return known;
  const readRow = makeRowReader(build, resource, "insert");
  let relations: ReadonlyMap<string, InsertRelation> | undefined;
  const table: InsertTable = {
    resource,
    shape: shapeOf(build, resource),
    isInsertable: rootTables(build).includes(resource) && behaves(build, "pgResource", resource, "resource:insert"),
    get relations() {
      return (relations ??= relationsByName(build, table));
    },
    read: (json, path, others) => readRow(json, path, others),
  };
  tables.set(resource, table);
  return table;
}

function relationsByName(build: GraphileBuild.Build, table: InsertTable): ReadonlyMap<string, InsertRelation> {
  const found = new Map<string, InsertRelation>();
  for (const relation of relationsOf(build, table.resource.codec)) {
    const name = build.inflection.relationField(relation);
    const target = relation.remoteResource as TableResource;
    if (name === undefined || !isTableResource(target)) continue;
    const toOne = !relation.isReferencee;
    const from = toOne ? table.resource : target;
    const [referring, referred] = toOne
      ? [relation.localAttributes, relation.remoteAttributes]
      : [relation.remoteAttributes, relation.localAttributes];
    const writable = writableColumns(build, from, "insert");
    const columns = referring.flatMap((column) => writable.find((each) => each.name === column) ?? []);
    found.set(name, {
      name,
      relation,
      get table() {
        return insertTable(build, target);
      },
      toOne,
      referring: columns.length === referring.length ? columns : undefined,
      referred,
    });
  }
  return found;
}

/** Whether two relations of a table are the two ends of one foreign key to itself. */
function isSameKey({ relation, toOne }: InsertRelation, other: InsertRelation): boolean {
  return (
    toOne !== other.toOne &&
    relation.localCodec === relation.remoteResource.codec &&
    String(relation.localAttributes) === String(other.relation.remoteAttributes) &&
    String(relation.remoteAttributes) === String(other.relation.localAttributes) &&
    relation.remoteResource === other.relation.remoteResource
  );
}

/** The position of a row in the data. */
interface Nesting {
  /** The relation through which it is inside another row. */
  readonly from: InsertRelation | undefined;
  readonly depth: number;
}

const OUTERMOST: Nesting = { from: undefined, depth: 1 };

/**
 * Reads the rows of one insert. `isNested`: whether any has related rows. Throws `BAD_USER_INPUT` with the name of the
 * member, as
 * `makeRowReader` does, for a value that is neither an object nor a list of objects, for tables that do not allow
 * inserts here, and where a column would be set twice: by two relations, by a relation and a value, or by both ends of
 * one key. Throws
 * `LIMIT_EXCEEDED` for rows nested deeper than filters may be, and for more than 10,000 rows where any has related
 * ones.
 */
export class RowTreeReader {
  readonly #budget = new Budget({});
  #rows = 0;
  isNested = false;

  read(table: InsertTable, json: unknown, path: string, { from, depth }: Nesting = OUTERMOST): InsertNode {
    this.#rows += 1;
    const related: [InsertRelation, unknown][] = [];
    const row = table.read(json, path, (name, value) => {
      const relation = table.relations.get(name);
      if (relation && value !== undefined) related.push([relation, value]);
      return relation !== undefined;
    });
    if (related.length === 0 && !from) return { path, row, parents: NONE, children: NONE };

    refuseClashes(row, path, related, from);
    const parents = new Map<InsertRelation, InsertNode>();
    const children = new Map<InsertRelation, readonly InsertNode[]>();
    for (const [relation, value] of related) {
      const at = `${path}.${relation.name}`;
      const inside = { from: relation, depth: depth + 1 };
      this.#enter(relation, at, inside.depth);
      if (relation.toOne) {
        parents.set(relation, this.read(relation.table, value, at, inside));
      } else {
        if (!Array.isArray(value)) return badInput(`${at}: must be a list of rows`);
        const read = (each: unknown, index: number): InsertNode =>
          this.read(relation.table, each, `${at}.${index}`, inside);
        children.set(relation, (value as unknown[]).map(read));
      }
    }
    return { path, row, parents, children };
  }

  /** Throws `LIMIT_EXCEEDED` for data beyond the limits of an insert with related rows. */
  checkSize(path: string): void {
    if (this.isNested && this.#rows > MAX_ROWS)
      throw new GatewayError("LIMIT_EXCEEDED", `${path}: more than ${MAX_ROWS} rows, counting related rows`);
  }

  #enter({ table, referring }: InsertRelation, path: string, depth: number): void {
    this.#budget.descend(depth, path);
    if (!table.isInsertable) badInput(`${path}: rows cannot be inserted into that table`);
    if (!referring) badInput(`${path}: a column of the key cannot be written`);
    this.isNested = true;
    this.checkSize(path);
  }
}

/** Refuses a row in which a column would be set twice. `from`: the relation through which it is inside another row. */
function refuseClashes(
  row: Row,
  path: string,
  related: readonly (readonly [InsertRelation, unknown])[],
  from: InsertRelation | undefined,
): void {
  const setters = new Map([...row.keys()].map((column) => [column, "a value of its own"]));
  const set = ({ referring = [] }: InsertRelation, where: string, setter: string): void => {
    for (const column of referring) {
      const other = setters.get(column);
      if (other !== undefined)
        badInput(`${where}: the column ${JSON.stringify(column.name)} is set by this relation and by ${other}`);
      setters.set(column, setter);
    }
  };
  if (from && !from.toOne) set(from, path, "the row around it");
  for (const [relation] of related) {
    const where = `${path}.${relation.name}`;
    const twin = related.find(([other]) => isSameKey(relation, other));
    if (twin) badInput(`${where}: ${JSON.stringify(twin[0].name)} is the other direction of the same key`);
    if (relation.toOne) set(relation, where, JSON.stringify(relation.name));
  }
}

/** The further tables that rows of data insert into, as far as the data can be parsed. */
export function nestedAccesses(table: InsertTable, json: unknown): RelationAccess[] {
  const found = new Map<TableResource, RelationAccess>();
  const collect = (at: InsertTable, value: unknown, depth: number): void => {
    if (depth > 64 || typeof value !== "object" || value === null) return;
    if (Array.isArray(value)) {
      for (const each of value as unknown[]) collect(at, each, depth + 1);
      return;
    }
    for (const [name, inner] of Object.entries(value)) {
      const relation = at.shape.column(name) ? undefined : at.relations.get(name);
      if (!relation) continue;
      const { resource } = relation.table;
      const names = databaseNameOf(resource);
      if (names) found.set(resource, { ...names, request: "insert" });
      collect(relation.table, inner, depth + 1);
    }
  };
  collect(table, json, 0);
  return [...found.values()];
}
