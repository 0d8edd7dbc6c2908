/** The types of PostgreSQL that the cells of a column could have. Each cell can rule out some of them. */
import { isRawNumber } from "../../types/exactJson.ts";
import { geometryType, shapeOfGeoJson, shapeOfText, type Shape } from "../../formats/geometryShape.ts";
import type { Cell } from "../../formats/source.ts";

/** In order: the first type that holds all values is chosen; wider types come later. */
const TYPES: readonly (readonly [type: string, is: RegExp])[] = [
  ["integer", /^-?(0|[1-9]\d{0,8})$/],
  ["bigint", /^-?(0|[1-9]\d{0,17})$/],
  ["decimal", /^-?(0|[1-9]\d*)(\.\d+)?(e[-+]?\d+)?$/i],
  ["boolean", /^(true|false)$/i],
  ["date", /^\d{4}-\d\d-\d\d$/],
  ["timestamp with time zone", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[-+]\d\d(:?\d\d)?)$/i],
  ["timestamp without time zone", /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?$/],
];

export class ColumnType {
  /** The members of `TYPES` that fit all texts so far; undefined before the first text. */
  #texts: typeof TYPES | undefined;
  /** The shapes that were found, each once. */
  readonly #shapes = new Map<string, Shape>();
  #hasObjects = false;
  #hasOthers = false;
  /** The largest distance of numbers from 0; NaN where there is other text. */
  #farthest = 0;

  readonly #told: string | Shape | undefined;

  /**
   * `told`: the type that the file states. For geometries, whose stated type may be too wide, the types that were found
   * are added.
   */
  constructor(told?: string | Shape) {
    this.#told = told;
  }

  add(cell: Cell): void {
    if (cell === null || cell === undefined || cell === "") return;
    const text = typeof cell !== "object" || isRawNumber(cell) ? cellText(cell) : undefined;
    this.#hasObjects ||= text === undefined;
    const shape = text === undefined ? shapeOfGeoJson(cell) : shapeOfText(text);
    if (shape) {
      this.#shapes.set(JSON.stringify(shape), shape);
      return;
    }
    this.#hasOthers = true;
    if (text === undefined) return;
    this.#texts = (this.#texts ?? TYPES).filter(([, is]) => is.test(text));
    this.#farthest = Math.max(this.#farthest, Math.abs(Number(text)));
  }

  /** `text` where nothing is known. */
  get name(): string {
    if (typeof this.#told === "string") return this.#told;
    if (this.#hasObjects && this.#hasOthers) return "jsonb";
    const shapes = this.#allShapes();
    if (shapes.length > 0) return this.#hasOthers ? "text" : geometryType(shapes);
    return this.#texts?.[0]?.[0] ?? "text";
  }

  /** A file that states "any geometry" states nothing useful if there are some geometries. */
  #allShapes(): readonly Shape[] {
    const seen = [...this.#shapes.values()];
    const told = typeof this.#told === "object" ? this.#told : undefined;
    return told && (told.type !== "Geometry" || seen.length === 0) ? [told, ...seen] : seen;
  }

  /** Whether there are numbers alone, and none beyond `most` or -`most`. */
  isWithin(most: number): boolean {
    return this.#texts !== undefined && !this.#hasObjects && this.#farthest <= most;
  }
}

/** A value of JSON as its text. */
export function cellText(cell: Cell): string {
  return typeof cell === "string" ? cell : isRawNumber(cell) ? cell.rawJSON : JSON.stringify(cell);
}
