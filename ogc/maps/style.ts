/** The style of a collection: what `portolan.set_style` and `@style` take, read into what a mapfile is made of. */
import { badInput, GatewayError } from "../../server/kernel/errors.ts";
import { isObject, type JsonObject } from "../../server/types/json.ts";
import { columnsIn } from "../../server/filter/nodes.ts";
import { parseFilter } from "../../server/filter/parse.ts";
import { at, quote, show } from "../../server/types/show.ts";
import type { Filter, Shape } from "../../server/filter/tree.ts";
import type { Collection, CollectionColumn } from "../collections.ts";
import type { TypeKind } from "../../server/types/columnType.ts";

/** A column whose values decide, feature by feature. */
export interface FromColumn {
  readonly column: CollectionColumn;
}
export type StyleNumber = number | FromColumn;
/** `#rrggbb`. */
export type StyleColour = string | FromColumn;

/** What is drawn differently. The order is that of drawing, the lowest first. */
export const SHAPES = ["polygon", "line", "point"] as const;
export type ShapeKind = (typeof SHAPES)[number];

export const SYMBOLS = ["circle", "square", "triangle", "diamond", "star", "cross", "x", "hatch"] as const;
export type SymbolName = (typeof SYMBOLS)[number];

/** `auto`: where there is room; `follow`: along a line. Others: where the label stands, seen from its feature. */
export const POSITIONS = ["auto", "follow", "ul", "uc", "ur", "cl", "cc", "cr", "ll", "lc", "lr"] as const;
export type Position = (typeof POSITIONS)[number];

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

const MAX_CLASSES = 100;
const MAX_PARTS = 20;
const MAX_NAME = 100;
const MAX_SCALE = 1e12;
const SCALARS: ReadonlySet<TypeKind> = new Set<TypeKind>(["boolean", "integer", "bigint", "float", "text", "datetime"]);
const NUMBERS: ReadonlySet<TypeKind> = new Set<TypeKind>(["integer", "bigint", "float"]);

/** Reads one member. Throws `BAD_USER_INPUT` naming `path`. */
type Read<T> = (json: unknown, path: string) => T;

/**
 * Reads a style of `collection`. Throws `BAD_USER_INPUT` that names the path, e.g. `style[0].styles[1].width: expected …`.
 */
export function parseStyle(json: unknown, collection: Pick<Collection, "schema" | "relation" | "columns">): Style {
  const columns = new Map(collection.columns.map((column) => [column.name, column]));
  const shape: Shape = {
    schema: collection.schema,
    relation: collection.relation,
    column: (name) => {
      const column = columns.get(name);
      return column && SCALARS.has(column.type.kind) ? column : undefined;
    },
    related: () => undefined,
  };

  const columnNamed = (name: string, path: string, kinds: ReadonlySet<TypeKind>, kind: string): CollectionColumn => {
    const column = columns.get(name);
    if (!column) return badInput(`${path}: there is no column ${quote(name)}`);
    if (!kinds.has(column.type.kind)) return badInput(`${path}: the column ${quote(name)} is no ${kind}`);
    return column;
  };

  const length =
    (least: number, most: number): Read<StyleNumber> =>
    (value, path) => {
      if (typeof value === "string") return { column: columnNamed(value, path, NUMBERS, "number") };
      if (typeof value === "number" && value >= least && value <= most) return value;
      return badInput(
        `${path}: expected a number from ${least} to ${most}, or the name of a column, got ${show(value)}`,
      );
    };
  const colour: Read<StyleColour> = (value, path) => {
    if (typeof value === "string" && /^#[0-9a-f]{6}$/i.test(value)) return value.toLowerCase();
    if (typeof value === "string" && columns.has(value))
      return { column: columnNamed(value, path, new Set<TypeKind>(["text"]), "text") };
    return badInput(`${path}: expected a colour, #RRGGBB, or the name of a column of such, got ${show(value)}`);
  };
  const labelText: Read<LabelText> = (value, path) => {
    if (typeof value !== "string" || value === "")
      return badInput(`${path}: expected the name of a column, or text with {column} in it, got ${show(value)}`);
    if (columns.has(value) || !value.includes("{")) return [columnNamed(value, path, SCALARS, "simple value")];
    return value
      .split(/(\{[^{}]*\})/)
      .filter((part) => part !== "")
      .map((part) => (/^\{.*\}$/.test(part) ? columnNamed(part.slice(1, -1), path, SCALARS, "simple value") : part));
  };
  const filter: Read<Filter | undefined> = (value, path) => {
    try {
      return parseFilter(value, shape);
    } catch (error) {
      if (!(error instanceof GatewayError)) throw error;
      return badInput(error.message.replace(/^where/, path));
    }
  };

  const drawing = members<Drawing>({
    color: colour,
    outlineColor: colour,
    width: length(0, 500),
    symbol: oneOf(SYMBOLS),
    size: length(0, 500),
    pattern,
    angle: length(-360, 360),
    opacity: length(0, 100),
  });
  const scales = { minScale: scale, maxScale: scale };
  const label = members<Label>(
    {
      text: labelText,
      size: length(4, 100),
      color: colour,
      outlineColor: colour,
      position: oneOf(POSITIONS),
      ...scales,
    },
    ["text"],
  );
  const styleClass = members<Omit<StyleClass, "where"> & { where?: Filter | undefined }>(
    { name, where: filter, ...scales, styles: list(drawing, MAX_PARTS), labels: list(label, MAX_PARTS) },
    ["name"],
  );
  const classes = list(styleClass, MAX_CLASSES)(json, "style");
  if (classes.length === 0) badInput("style: expected a list of classes, got an empty list");
  return classes.map(({ where, ...rest }) => ({
    ...rest,
    where,
    styles: (rest as Partial<StyleClass>).styles ?? [],
    labels: (rest as Partial<StyleClass>).labels ?? [],
  }));
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

const name: Read<string> = (value, path) =>
  typeof value === "string" && value.trim() !== "" && value.length <= MAX_NAME
    ? value
    : badInput(`${path}: expected a text of 1 to ${MAX_NAME} characters, got ${show(value)}`);

const scale: Read<number> = (value, path) =>
  typeof value === "number" && value > 0 && value <= MAX_SCALE
    ? value
    : badInput(`${path}: expected the denominator of a scale, such as 50000, got ${show(value)}`);

const pattern: Read<readonly number[]> = (value, path) => {
  const isLength = (each: unknown): boolean => typeof each === "number" && each > 0 && each <= 500;
  if (
    Array.isArray(value) &&
    value.length % 2 === 0 &&
    value.length >= 2 &&
    value.length <= 10 &&
    value.every(isLength)
  )
    return value as number[];
  return badInput(`${path}: expected lengths of dashes and gaps in turn, 2 to 10 numbers, got ${show(value)}`);
};

function oneOf<const Name extends string>(names: readonly Name[]): Read<Name> {
  return (value, path) =>
    names.find((each) => each === value) ??
    badInput(`${path}: expected one of ${names.join(", ")}, got ${show(value)}`);
}

function list<T>(read: Read<T>, most: number): Read<readonly T[]> {
  return (value, path) => {
    if (!Array.isArray(value)) return badInput(`${path}: expected a list, got ${show(value)}`);
    if (value.length > most) return badInput(`${path}: a list of more than ${most}`);
    return value.map((each: unknown, index) => read(each, at(path, index)));
  };
}

/** Reads an object of these members. A range of scales that is empty is an error too. */
function members<T extends object>(
  readers: { readonly [Name in keyof T]-?: Read<NonNullable<T[Name]> | undefined> },
  needed: readonly (keyof T & string)[] = [],
): Read<T> {
  return (value, path) => {
    if (!isObject(value)) return badInput(`${path}: expected an object, got ${show(value)}`);
    const result: Record<string, unknown> = {};
    for (const [key, member] of Object.entries(value)) {
      if (!Object.hasOwn(readers, key))
        return badInput(`${path}: there is no ${quote(key)}; there are ${Object.keys(readers).join(", ")}`);
      if (member !== null) result[key] = readers[key as keyof T](member, at(path, key));
    }
    for (const key of needed) if (!Object.hasOwn(result, key)) badInput(`${path}: ${key} is missing`);
    checkRange(result, path);
    return result as T;
  };
}

function checkRange({ minScale, maxScale }: JsonObject, path: string): void {
  if (minScale !== undefined && maxScale !== undefined && Number(minScale) >= Number(maxScale))
    badInput(`${path}.maxScale: expected more than minScale`);
}
