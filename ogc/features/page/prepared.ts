/** Statements that are put together once for each shape: collection, columns, CRS, and which conditions there are. */
import { createHash } from "node:crypto";
import { LRUCache } from "lru-cache";
import { sql, type SQL } from "postgraphile/pg-sql2";
import type { RowStatement } from "../../../server/kernel/database/database.ts";
import type { Collection } from "../../collections/collections.ts";

/** The differences between statements of one shape. */
export interface Shaped {
  /** A word for the request without its conditions. Undefined: the text is not kept. */
  readonly shape: string | undefined;
  readonly conditions: readonly SQL[];
  /** The values for the places that `build` receives, in order. */
  readonly values: readonly (string | number)[];
  /**
   * Whether it is also kept prepared: its plan is the same for all values, as by a key or in the order of one. A plan for
   * any box would be wrong for most.
   */
  readonly prepares: boolean;
  /** `where`: empty, or WHERE with the conditions. */
  build(where: SQL, places: readonly SQL[]): SQL;
}

interface Template {
  readonly text: string;
  /** The values that are always the same; those at `places` change. */
  readonly values: readonly unknown[];
  /** The places of each of a request's values, in order. */
  readonly places: readonly (readonly number[])[];
  /** The number of values before those of the conditions. */
  readonly before: number;
  /** Undefined for the first request: a text that nobody repeats would only drive out frequent ones. */
  name: string | undefined;
}

/** No value of a request: PostgreSQL's texts have no character NUL. */
const place = (index: number): string => `\0${index}`;

/** The 1000 that were used last. */
const templates = new LRUCache<string, Template>({ max: 1000 });
const NOTHING = { text: "", values: [] as readonly unknown[] };

/** The statement with its values, under a name where it came before. */
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

/** Numbers of objects of the catalogue, which are new ones when it has changed. */
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
