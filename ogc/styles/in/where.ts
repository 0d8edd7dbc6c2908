/** Conditions of styles from other programs → the conditions of `set_style`, by the parsers of the filter language. */
import { isObject, type JsonObject } from "../../../server/types/json.ts";
import type { Filter, Operand, Shape } from "../../../server/filter/tree.ts";
import type { Collection, CollectionColumn } from "../../collections/collections.ts";

/** Operators that a style supports (`portolan.check_style_operand`). */
const OPERATORS = new Set("eq neq gt gte lt lte in nin like ilike startsWith endsWith isNull".split(" "));

/** A condition that a style cannot have. The message describes it. */
export class Inexpressible extends Error {}

/** The column of a name. A name in another letter case matches if only one column fits. */
export function columnNamed({ columns }: Pick<Collection, "columns">, name: string): CollectionColumn | undefined {
  const exact = columns.find((column) => column.name === name);
  const alike = columns.filter((column) => column.name.toLowerCase() === name.toLowerCase());
  return exact ?? (alike.length === 1 ? alike[0] : undefined);
}

export function shapeOf(collection: Pick<Collection, "schema" | "relation" | "columns">): Shape {
  const { schema, relation } = collection;
  return { schema, relation, column: (name) => columnNamed(collection, name), related: () => undefined };
}

/** The condition. Throws `Inexpressible`. */
export function whereOf(filter: Filter): JsonObject {
  switch (filter.kind) {
    case "and":
    case "or":
      return { [filter.kind]: filter.filters.map(whereOf) };
    case "not":
      return { not: whereOf(filter.filter) };
    case "compare":
      return comparison(filter.column.name, filter.operator, filter.value);
    case "related":
      throw new Inexpressible(`a condition on related rows (${filter.relation.name})`);
    case "call": {
      const [left, right] = filter.operands.map(columnOrValue);
      if (left && "column" in left && right && "value" in right && OPERATORS.has(filter.name))
        return comparison(left.column, filter.name, right.value);
      throw new Inexpressible(`the function or operator ${filter.name}`);
    }
  }
}

function columnOrValue(operand: Operand): { readonly column: string } | { readonly value: unknown } {
  if (operand.kind === "column") return { column: operand.column.name };
  if (operand.kind === "value") return { value: operand.value };
  throw new Inexpressible(`the function ${operand.name}`);
}

function comparison(column: string, operator: string, value: unknown): JsonObject {
  if (!OPERATORS.has(operator)) throw new Inexpressible(`the operator ${operator}`);
  if (isObject(value)) throw new Inexpressible(`a value that is no text or number`);
  return { [column]: { [operator]: value } };
}
