/** Geometries in well-known binary, and the sides of their boxes as columns beside them (GeoParquet 1.1 §bbox covering). */
import { RunningBox } from "../gpkg/wkbBox.ts";
import type { Cells } from "../rowBytes.ts";
import { BytesData } from "./bytesData.ts";
import { Growing, Levels, type EndedColumn } from "./columnData.ts";

export const SIDES = ["xmin", "ymin", "xmax", "ymax"] as const;
const SIDE_BYTES = 4;
const HEX_BYTES = 2;

/** Floats take half the place of doubles. They are rounded outward, so that a box has all of its geometry. */
class Side {
  readonly values = new Growing();
  readonly #isUpper: boolean;
  /** The bounds of the group. */
  min = Infinity;
  max = -Infinity;
  /** Those of all groups. */
  least = Infinity;
  most = -Infinity;

  constructor(isUpper: boolean) {
    this.#isUpper = isUpper;
  }

  /** Adds a value. Its space must be reserved before. */
  add(value: number): void {
    this.values.view.setFloat32(this.values.length, outward(value, this.#isUpper), true);
    this.values.length += SIDE_BYTES;
    if (value < this.min) this.min = value;
    if (value > this.max) this.max = value;
  }

  end(): Pick<EndedColumn, "values" | "bounds"> {
    const { min, max } = this;
    const [low, high] = [outward(min, this.#isUpper), outward(max, this.#isUpper)];
    const bounds = min <= max ? { min: low === 0 ? -0 : low, max: high === 0 ? 0 : high } : undefined;
    this.least = Math.min(this.least, min);
    this.most = Math.max(this.most, max);
    this.min = Infinity;
    this.max = -Infinity;
    return { values: this.values.hand(), bounds };
  }
}

const float = new Float32Array(1);
const bits = new Int32Array(float.buffer);
const LEAST_FLOAT = 2 ** -149;

/** The nearest float that is not below the number, or not above it. */
function outward(value: number, isUpper: boolean): number {
  const near = Math.fround(value);
  if (isUpper ? near >= value : near <= value) return near;
  if (near === 0) return isUpper ? LEAST_FLOAT : -LEAST_FLOAT;
  float[0] = near;
  bits[0]! += near > 0 === isUpper ? 1 : -1; // the next one: their bits are in the order of their amounts
  return float[0];
}

export class GeometryData extends BytesData {
  readonly #isBinary: boolean;
  readonly #box = new RunningBox();
  readonly #sides = [new Side(false), new Side(false), new Side(true), new Side(true)] as const;
  readonly #boxed = new Levels();

  constructor(isBinary: boolean) {
    super();
    this.#isBinary = isBinary;
  }

  override get size(): number {
    return super.size + SIDES.length * this.#sides[0].values.length;
  }

  /** xmin, ymin, xmax and ymax of all groups that have ended. */
  get extent(): readonly number[] | undefined {
    const [xmin, ymin, xmax, ymax] = this.#sides;
    return xmin.least === Infinity ? undefined : [xmin.least, ymin.least, xmax.most, ymax.most];
  }

  override add(cells: Cells, column: number, rows: { readonly from: number; readonly to: number }): void {
    const count = rows.to - rows.from;
    for (const { values } of this.#sides) values.reserve(count * SIDE_BYTES);
    super.add(cells, column, rows);
  }

  protected override skip(): void {
    this.#boxed.addNull();
  }

  protected take({ bytes }: Cells, start: number, length: number): boolean {
    const at = this.values.length;
    if (this.#isBinary) this.copy(bytes, start, length);
    else this.addHex(bytes.toString("latin1", start + HEX_BYTES, start + length));
    const isBoxed = this.#box.read(this.values.view, at + LENGTH_BYTES);
    if (isBoxed) this.#addBox();
    else this.#boxed.addNull();
    return true;
  }

  #addBox(): void {
    const sides = this.#sides;
    sides[0].add(this.#box.minx);
    sides[1].add(this.#box.miny);
    sides[2].add(this.#box.maxx);
    sides[3].add(this.#box.maxy);
    this.#boxed.addPresent();
  }

  /** Ends the columns of the sides, in their order. The result is valid until the next rows come. */
  endSides(): readonly EndedColumn[] {
    const { count, nulls } = this.#boxed;
    const levels = this.#boxed.encoded();
    this.#boxed.clear();
    return this.#sides.map((side) => ({ ...side.end(), levels, count, nulls }));
  }

  /** The first bytes of well-known binary say nothing. */
  protected override compare(): void {}
}

/** Before each value. */
const LENGTH_BYTES = 4;
