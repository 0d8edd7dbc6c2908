/**
 * The style of a collection: reads the JSON of `portolan.set_style` and `@style` into the input of a mapfile. PostgreSQL
 * validates it.
 */
import { isObject, type JsonObject } from "../../server/types/json.ts";
import { columnsIn } from "../../server/filter/nodes.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import type { Filter, Shape } from "../../server/filter/tree.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";

/** A value that each feature takes from a column. */
export interface FromColumn {
  readonly column: CollectionColumn;
}
export type StyleNumber = number | FromColumn;
/** `#rrggbb`. */
export type StyleColour = string | FromColumn;

/** The shapes of features, in the order of drawing, the lowest first. */
export const SHAPES = ["polygon", "line", "point"] as const;
export type ShapeKind = (typeof SHAPES)[number];

export type SymbolName = "circle" | "square" | "triangle" | "diamond" | "star" | "cross" | "x" | "hatch";

/**
 * The position of a label. `auto`: where there is room; `follow`: along a line. The others are seen from the feature.
 */
export type Position = "auto" | "follow" | "ul" | "uc" | "ur" | "cl" | "cc" | "cr" | "ll" | "lc" | "lr";

/** Scale denominators. It is drawn at `minScale` and above, below `maxScale`. */
export interface ScaleRange {
  readonly minScale?: number;
  readonly maxScale?: number;
}

/** One stroke of the brush. A class draws its strokes in order, each over the one before. Lengths are in pixels. */
export interface Drawing {
  readonly color?: StyleColour;
  readonly outlineColor?: StyleColour;
  readonly width?: StyleNumber;
  readonly symbol?: SymbolName;
  readonly size?: StyleNumber;
  /** Lengths of dashes and gaps, alternating. */
  readonly pattern?: readonly number[];
  /** The angle in degrees, counter-clockwise. */
  readonly angle?: StyleNumber;
  /** The opacity in percent. */
  readonly opacity?: StyleNumber;
}

/** Texts and columns, in order. */
export type LabelText = readonly (string | CollectionColumn)[];

/** MapServer draws a letter of size 72 as high as 96 pixels. */
export const PIXELS_PER_POINT = 96 / 72;

export interface Label extends ScaleRange {
  readonly text: LabelText;
  /** In points. */
  readonly size?: StyleNumber;
  readonly color?: StyleColour;
  readonly outlineColor?: StyleColour;
  readonly position?: Position;
}

export interface StyleClass extends ScaleRange {
  readonly name: string;
  /** Undefined for every feature. */
  readonly where: Filter | undefined;
  readonly styles: readonly Drawing[];
  readonly labels: readonly Label[];
}

/** The classes of a style. The first one that matches a feature, among those that the scale allows, draws it. */
export type Style = readonly StyleClass[];

/** A style as JSON that PostgreSQL has validated (`portolan.check_style`). A member that is null counts as missing. */
interface ClassJson extends ScaleRange {
  readonly name: string;
  readonly where?: unknown;
  readonly styles?: readonly JsonObject[] | null;
  readonly labels?: readonly JsonObject[] | null;
}

/** Reads a valid style. */
export function readStyle(json: unknown, collection: Pick<Collection, "schema" | "relation" | "columns">): Style {
  const { schema, relation } = collection;
  const columns = new Map(collection.columns.map((column) => [column.name, column]));
  const shape: Shape = { schema, relation, column: (name) => columns.get(name), related: () => undefined };
  return (json as readonly ClassJson[]).map(({ where, styles, labels, ...rest }) => ({
    ...(given(rest) as Pick<StyleClass, "name" | keyof ScaleRange>),
    where: parseFilter(where, shape),
    styles: (styles ?? []).map((each) => readMembers(each, columns) as Drawing),
    labels: (labels ?? []).map((each) => readMembers(each, columns) as unknown as Label),
  }));
}

function given(json: object): JsonObject {
  return Object.fromEntries(Object.entries(json).filter(([, value]) => value !== null));
}

type Columns = ReadonlyMap<string, CollectionColumn>;

/** Readers for members of a drawing or a label. Any other member is taken literally. */
const MEMBERS: Readonly<Record<string, (text: string, columns: Columns) => unknown>> = {
  color: readColour,
  outlineColor: readColour,
  width: columnNamed,
  size: columnNamed,
  angle: columnNamed,
  opacity: columnNamed,
  text: readText,
};

function readMembers(json: JsonObject, columns: Columns): JsonObject {
  return Object.fromEntries(
    Object.entries(given(json)).map(([name, value]) => [
      name,
      typeof value === "string" ? (MEMBERS[name]?.(value, columns) ?? value) : value,
    ]),
  );
}

function columnNamed(name: string, columns: Columns): FromColumn {
  return { column: columns.get(name)! };
}

function readColour(text: string, columns: Columns): StyleColour {
  return /^#[0-9a-f]{6}$/i.test(text) ? text.toLowerCase() : columnNamed(text, columns);
}

/** Reads the name of a column, or a text with names in braces. */
function readText(text: string, columns: Columns): LabelText {
  const whole = columns.get(text);
  if (whole) return [whole];
  return text
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) => (/^\{.*\}$/.test(part) ? columns.get(part.slice(1, -1))! : part));
}

/** The columns that a style needs, besides the geometry. */
export function columnsOf(style: Style): Set<string> {
  const names = new Set<string>();
  const add = (value: unknown): void => {
    if (isObject(value) && isObject(value["column"])) names.add(value["column"]["name"] as string);
  };
  for (const { where, styles, labels } of style) {
    if (where) for (const { name } of columnsIn(where)) names.add(name);
    for (const part of [...styles, ...labels]) Object.values(part).forEach(add);
    for (const { text } of labels) for (const part of text) if (typeof part !== "string") names.add(part.name);
  }
  return names;
}
