/** The types of PostgreSQL that the cells of a column could have, which become fewer with each cell that is looked at. */
import { isRawNumber } from "../../types/exactJson.ts";
import { isObject } from "../../types/json.ts";
import type { Cell } from "./source.ts";

const WKT = /^(SRID=\d+;)?(MULTI)?(POINT|LINESTRING|POLYGON|GEOMETRYCOLLECTION)( ?[ZM]+)? ?(\(|EMPTY)/i;
const EWKB = /^(?:SRID=(\d+);)?01[0-9a-f]{16,}$/i;
/** The first that all values are: what is wider stands behind. */
const TYPES: readonly (readonly [type: string, is: RegExp])[] = [
  ["integer", /^-?(0|[1-9]\d{0,8})$/],
  ["bigint", /^-?(0|[1-9]\d{0,17})$/],
  ["decimal", /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i],
  ["boolean", /^(true|false)$/i],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["timestamp with time zone", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d(:?\d\d)?)$/i],
  ["timestamp without time zone", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/],
  ["geometry(Geometry,4326)", WKT],
];

export class ColumnType {
  /** Those of `TYPES` that all texts so far are; undefined: there was none. */
  #texts: typeof TYPES | undefined;
  /** Of the first text, where it is a geometry that tells it. */
  #srid: string | undefined;
  #hasObjects = false;
  #hasOthers = false;
  /** What the geometries among them call themselves. */
  readonly #geometries = new Set<string>();

  add(cell: Cell): void {
    if (cell === null || cell === undefined || cell === "") return;
    if (typeof cell !== "object" || isRawNumber(cell)) {
      this.#hasOthers = true;
      this.#addText(cellText(cell));
      return;
    }
    this.#hasObjects = true;
    if (isGeometry(cell)) this.#geometries.add(String((cell as { type?: unknown }).type));
    else this.#hasOthers = true;
  }

  /** `text` where nothing is known. */
  get name(): string {
    if (this.#hasObjects) return this.#hasOthers ? "jsonb" : geometryType(this.#geometries);
    if (this.#srid !== undefined) return `geometry(Geometry,${this.#srid})`;
    return this.#texts?.[0]?.[0] ?? "text";
  }

  #addText(text: string): void {
    if (this.#texts === undefined) this.#srid = EWKB.exec(text)?.[1];
    this.#texts = (this.#texts ?? TYPES).filter(([, is]) => is.test(text));
  }
}

/** A value of JSON as its text. */
export function cellText(cell: Cell): string {
  return typeof cell === "string" ? cell : isRawNumber(cell) ? cell.rawJSON : JSON.stringify(cell);
}

function isGeometry(cell: Cell): boolean {
  return isObject(cell) && (Array.isArray(cell["coordinates"]) || Array.isArray(cell["geometries"]));
}

/** One type where all are of it, or of it and many of it. */
function geometryType(types: ReadonlySet<string>): string {
  const single = new Set([...types].map((type) => type.replace("Multi", "")));
  const [only = ""] = single;
  const isKnown = single.size === 1 && /^(Point|LineString|Polygon)$/.test(only);
  const isMany = [...types].some((type) => type.startsWith("Multi"));
  return `geometry(${isKnown ? `${isMany ? "Multi" : ""}${only}` : "Geometry"},4326)`;
}
