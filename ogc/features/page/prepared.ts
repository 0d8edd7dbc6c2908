/** Statements that are assembled once for each shape: collection, columns, CRS, and the kinds of conditions. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { RowStatement } from "../../../server/kernel/database/database.ts";
import type { Collection } from "../../collections/collections.ts";

/** The differences between statements of one shape. */
export interface Shaped {
  /** A name of the request without its conditions. Undefined: the text is not kept. */
  readonly shape: string | undefined;
  readonly conditions: readonly SQL[];
  /** The values for the places that `build` receives, in order. */
  readonly values: readonly (string | number)[];
  /**
   * Whether the statement is also kept as a prepared one. It must have a plan that is good for all values, as with a
   * key or in the order of a key. A single plan for all boxes would be bad for most of them.
   */
  readonly prepares: boolean;
  /** Builds the statement. `where`: empty, or WHERE with the conditions. */
  build(where: SQL, places: readonly SQL[]): SQL;
}

interface Template {
  readonly text: string;
  /** All values. Those at `places` are replaced, the others stay the same. */
  readonly values: readonly unknown[];
  /** The places of each value of a request, in order. */
  readonly places: readonly (readonly number[])[];
  /** The number of values before those of the conditions. */
  readonly before: number;
  /** Undefined until the second request: preparing a text that is never repeated would only drive out frequent ones. */
  name: string | undefined;
}

/** A placeholder that cannot be a value of a request, since PostgreSQL's texts cannot have the character NUL. */
const place = (index: number): string => `\0${index}`;

/** The 1000 most recently used templates. */
const templates = new LRUCache<string, Template>({ max: 1000 });
const NOTHING = { text: "", values: [] as readonly unknown[] };

/** The statement with its values. It has a name if its text came before. */
export function shaped(collection: Collection, { shape, conditions, values, prepares, build }: Shaped): RowStatement {
  const where = conditions.length === 0 ? sql`` : sql` where ${sql.join([...conditions], " and ")}`;
  if (shape === undefined)
    return sql.compile(
      build(
        where,
        values.map((value) => sql.value(value)),
      ),
    );
  const own = conditions.length === 0 ? NOTHING : sql.compile(where);
  const key = `${numberOf(collection)} ${shape} ${own.text}`;
  const known = templates.get(key);
  const template = known ?? newTemplate(where, values.length, build);
  if (!known) templates.set(key, template);
  else if (prepares) template.name ??= nameOf(template.text);
  const all = [...template.values];
  values.forEach((value, index) => {
    for (const at of template.places[index]!) all[at] = value;
  });
  all.splice(template.before, own.values.length, ...own.values);
  return { text: template.text, name: template.name, values: all };
}

function newTemplate(where: SQL, count: number, build: Shaped["build"]): Template {
  const places = Array.from({ length: count }, (_, index) => sql.value(place(index)));
  const { text, values } = sql.compile(build(where, places));
  const before = sql.compile(build(sql.value(place(count)), places)).values.indexOf(place(count));
  return { text, values, places: places.map((_, index) => placesOf(values, place(index))), before, name: undefined };
}

function placesOf(values: readonly unknown[], wanted: string): number[] {
  return values.flatMap((value, at) => (value === wanted ? [at] : []));
}

/** Numbers for the objects of the catalogue. A changed catalogue has new objects. */
const numbers = new WeakMap<Collection, number>();
let lastNumber = 0;

function numberOf(collection: Collection): number {
  let number = numbers.get(collection);
  if (number === undefined) numbers.set(collection, (number = ++lastNumber));
  return number;
}

function nameOf(text: string): string {
  return `ogc ${createHash("sha256").update(text).digest("base64url")}`;
}
