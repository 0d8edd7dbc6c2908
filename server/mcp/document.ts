/** Documents of GraphQL, made from an agent's arguments. */
import { badInput } from "../ground/errors.ts";
import type { TableFields } from "./agent.ts";

export interface Selection {
  readonly columns?: readonly string[] | undefined;
  readonly relations?: Readonly<Record<string, RelationSelection>> | undefined;
}

export interface RelationSelection extends Selection {
  readonly where?: unknown;
  readonly orderBy?: unknown;
  readonly limit?: number | undefined;
}

type Fields = Pick<TableFields, "columns" | "relations">;

/** The place of a selection in the arguments. */
interface Place {
  readonly path: string;
  readonly depth: number;
}

const DEEPEST = 5;

/** A document while it is made: its variables and their values. */
export class DocumentText {
  readonly values: Record<string, unknown> = {};
  readonly #declared: string[] = [];
  /** Rows of a relation, where the caller names no limit. */
  readonly #relationRows: number;

  constructor(relationRows: number) {
    this.#relationRows = relationRows;
  }

  /** The arguments of a field; those that are undefined are left out. */
  arguments(given: Readonly<Record<string, readonly [type: string, value: unknown]>>): string {
    const texts = Object.entries(given).flatMap(([name, [type, value]]) => {
      if (value === undefined) return [];
      const variable = `v${this.#declared.length}`;
      this.#declared.push(`$${variable}: ${type}`);
      this.values[variable] = value;
      return [`${name}: $${variable}`];
    });
    return texts.length === 0 ? "" : `(${texts.join(", ")})`;
  }

  /**
   * The fields of a row. `defaults`: the columns where none are named. Throws `BAD_USER_INPUT` for names that the table does
   * not have.
   */
  row(
    fields: Fields,
    { columns, relations = {} }: Selection,
    defaults: readonly string[],
    { path, depth }: Place = { path: "", depth: 0 },
  ): string {
    if (depth > DEEPEST) badInput(`relations: are nested more than ${DEEPEST} deep`);
    const shown = (columns ?? defaults).map((name) => columnOf(fields, name, `${path}columns`).selection);
    const related = Object.entries(relations).map(([name, selection]) => {
      const relation = fields.relations.get(name);
      if (!relation) {
        const names = [...fields.relations.keys()];
        return badInput(`${path}relations: there is no ${JSON.stringify(name)}${listed(names)}`);
      }
      const target = relation.target();
      const { where, orderBy, limit = this.#relationRows } = selection;
      if (!relation.many && (where !== undefined || orderBy !== undefined || selection.limit !== undefined))
        badInput(`${path}relations.${name}: is a single row, which takes only columns and relations`);
      const args = relation.many
        ? this.arguments({ where: ["JSON", where], orderBy: ["JSON", orderBy], limit: ["Int", limit] })
        : "";
      const key = [...target.columns].find(([, { column }]) => relation.on.some(([, there]) => there === column))?.[0];
      const inner = this.row(target, selection, key === undefined ? [] : [key], {
        path: `${path}relations.${name}.`,
        depth: depth + 1,
      });
      return `${name}${args} { ${inner} }`;
    });
    const all = [...shown, ...related];
    if (all.length === 0) badInput(`${path}columns: name at least one`);
    return all.join(" ");
  }

  text(kind: "query" | "mutation", body: string): string {
    const head = this.#declared.length === 0 ? kind : `${kind} (${this.#declared.join(", ")})`;
    return `${head} { ${body} }`;
  }
}

/** Finds a column by the name of its field or its own. Throws `BAD_USER_INPUT`. */
export function columnOf(fields: Pick<TableFields, "columns">, name: string, path: string) {
  const found = fields.columns.get(name) ?? [...fields.columns.values()].find(({ column }) => column === name);
  if (found) return found;
  const names = [...fields.columns.keys()];
  return badInput(`${path}: there is no ${JSON.stringify(name)}${listed(names)}`);
}

function listed(names: readonly string[]): string {
  return names.length === 0 ? "" : `, but ${names.slice(0, 50).join(", ")}`;
}
