/**
 * The style of a collection: reads the JSON of `portolan.set_style` and `@style` into the input of a mapfile. PostgreSQL
 * validates it.
 */
import { isObject, type JsonObject } from "../../server/types/json.ts";
import { columnsIn } from "../../server/filter/nodes.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import type { Filter, Shape } from "../../server/filter/tree.ts";
import type { Collection, CollectionColumn } from "../collections/collections.ts";

/** A column whose values decide, feature by feature. */
export interface FromColumn {
  readonly column: CollectionColumn;
}
export type StyleNumber = number | FromColumn;
/** `#rrggbb`. */
export type StyleColour = string | FromColumn;

/** Features that are drawn alike. The order is that of drawing, the lowest first. */
export const SHAPES = ["polygon", "line", "point"] as const;
export type ShapeKind = (typeof SHAPES)[number];

export type SymbolName = "circle" | "square" | "triangle" | "diamond" | "star" | "cross" | "x" | "hatch";

/** `auto`: where there is room; `follow`: along a line. Others: the position of the label, seen from its feature. */
export type Position = "auto" | "follow" | "ul" | "uc" | "ur" | "cl" | "cc" | "cr" | "ll" | "lc" | "lr";

/** Denominators of scales: drawn from `minScale` on, below `maxScale`. */
export interface ScaleRange {
  readonly minScale?: number;
  readonly maxScale?: number;
}

/** One stroke of the brush; a class draws its own in order, each over the one before. Lengths are pixels. */
export interface Drawing {
  readonly color?: StyleColour;
  readonly outlineColor?: StyleColour;
  readonly width?: StyleNumber;
  readonly symbol?: SymbolName;
  readonly size?: StyleNumber;
  /** Lengths of dashes and gaps in turn. */
  readonly pattern?: readonly number[];
  /** Degrees, counter-clockwise. */
  readonly angle?: StyleNumber;
  /** Percent. */
  readonly opacity?: StyleNumber;
}

/** Text with columns in it, in order. */
export type LabelText = readonly (string | CollectionColumn)[];

export interface Label extends ScaleRange {
  readonly text: LabelText;
  readonly size?: StyleNumber;
  readonly color?: StyleColour;
  readonly outlineColor?: StyleColour;
  readonly position?: Position;
}

export interface StyleClass extends ScaleRange {
  readonly name: string;
  /** Undefined: every feature. */
  readonly where: Filter | undefined;
  readonly styles: readonly Drawing[];
  readonly labels: readonly Label[];
}

/** The first class that a feature fits in, among those that the scale lets through, draws it. */
export type Style = readonly StyleClass[];

/** A style as JSON, which PostgreSQL has judged (`portolan.check_style`): a member that is null is not there. */
interface ClassJson extends ScaleRange {
  readonly name: string;
  readonly where?: unknown;
  readonly styles?: readonly JsonObject[] | null;
  readonly labels?: readonly JsonObject[] | null;
}

/** Reads a style that is right. */
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

/** Readers of members of a drawing or a label; any other member is taken literally. */
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

/** The name of a column, or text with names in braces. */
function readText(text: string, columns: Columns): LabelText {
  const whole = columns.get(text);
  if (whole) return [whole];
  return text
    .split(/(\{[^{}]*\})/)
    .filter((part) => part !== "")
    .map((part) => (/^\{.*\}$/.test(part) ? columns.get(part.slice(1, -1))! : part));
}

/** The columns that a style needs besides the geometry. */
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
