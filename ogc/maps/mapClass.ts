/** A class of a style → the block of a mapfile that draws it. */
import { Items } from "./mapData.ts";
import type { Drawing, Label, ShapeKind, StyleClass, StyleColour, StyleNumber, SymbolName } from "./style.ts";
import { colourOf, labelText, MAX_LENGTH, numberOf } from "./styleValues.ts";

export function classBlock(
  { name, styles, labels }: StyleClass,
  number: number,
  shape: ShapeKind,
  items: Items,
): string {
  return block("CLASS", [
    `NAME "${displayText(name)}"`,
    `EXPRESSION '${number}'`,
    ...styles.flatMap((style) => drawingBlocks(style, shape, items)),
    ...labels.map((label) => labelBlock(label, shape, items)),
  ]);
}

export function legendBlock({ name, styles }: StyleClass, shape: ShapeKind): string {
  return block("CLASS", [
    `NAME "${displayText(name)}"`,
    ...styles.flatMap((style) => drawingBlocks(constant(style), shape, new Items())),
  ]);
}

const TYPICAL = { width: 1, size: 8, angle: 0, opacity: 100, color: "#808080", outlineColor: "#404040" } as const;

/** A drawing for the legend, with typical values in place of those from columns. */
function constant(style: Drawing): Drawing {
  const fixed = Object.entries(style).map(([name, value]: [string, unknown]) => {
    const isColumn = typeof value === "object" && value !== null && "column" in value;
    return [name, isColumn ? TYPICAL[name as keyof typeof TYPICAL] : value];
  });
  return Object.fromEntries(fixed) as Drawing;
}

/** MapServer's blocks for a drawing: two where inside and outline are drawn differently. */
function drawingBlocks(drawing: Drawing, shape: ShapeKind, items: Items): string[] {
  const { color, outlineColor, width = 1, symbol, size, angle, opacity = 100 } = drawing;
  const colours = (keyword: string, value: StyleColour | undefined): string[] =>
    value === undefined ? [] : [`${keyword} ${colour(value, items)}`];
  const opaque = opacity === 100 ? [] : [`OPACITY ${number(opacity, [0, 100], 100, items)}`];
  const angles = angle === undefined ? [] : [`ANGLE ${number(angle, [-360, 360], 0, items)}`];
  const length = (keyword: string, value: StyleNumber, fallback: number): string =>
    `${keyword} ${number(value, [0, MAX_LENGTH], fallback, items)}`;
  const pattern = drawing.pattern ? [`PATTERN ${drawing.pattern.join(" ")} END`] : [];
  const marks = (name: SymbolName): string[] => [`SYMBOL "${name}"`, length("SIZE", size ?? 8, 8), ...angles];

  const isMarked = shape === "point" || (shape === "line" && symbol !== undefined && symbol !== "hatch");
  if (size === 0 && isMarked) return []; // MapServer refuses size 0

  const mark = (name: SymbolName): string[] => {
    const isOpen = name === "cross" || name === "x";
    const lines = [...marks(name), ...colours("COLOR", color ?? (isOpen ? outlineColor : undefined)), ...opaque];
    const outline = isOpen ? [] : colours("OUTLINECOLOR", outlineColor);
    return [...lines, ...outline, ...(isOpen || outlineColor ? [length("WIDTH", width, 1)] : [])];
  };
  switch (shape) {
    case "point":
      return [block("STYLE", mark(symbol === undefined || symbol === "hatch" ? "circle" : symbol))];
    case "line": {
      if (isMarked) return [block("STYLE", [...mark(symbol!), "GAP -32"])];
      const stroke = color ?? outlineColor;
      const casing = color === undefined ? [] : colours("OUTLINECOLOR", outlineColor);
      const lines = [...colours("COLOR", stroke), length("WIDTH", width, 1), ...pattern, ...opaque];
      return [block("STYLE", [...lines, ...casing, ...(casing.length > 0 ? ["OUTLINEWIDTH 2"] : [])])];
    }
    case "polygon": {
      const hatch = symbol === "hatch" ? [length("WIDTH", width, 1)] : ["GAP 16"];
      const fill = symbol === undefined ? [] : [...marks(symbol), ...hatch];
      return [
        ...(color === undefined || (symbol !== undefined && size === 0)
          ? []
          : [block("STYLE", [...colours("COLOR", color), ...fill, ...opaque])]),
        ...(outlineColor === undefined
          ? []
          : [
              block("STYLE", [
                ...colours("OUTLINECOLOR", outlineColor),
                length("WIDTH", symbol === "hatch" ? 1 : width, 1),
                ...pattern,
                ...opaque,
              ]),
            ]),
      ];
    }
  }
}

function labelBlock(label: Label, shape: ShapeKind, items: Items): string {
  const { text, size = 10, color = "#202020", outlineColor, position } = label;
  const place =
    position === "follow" || (position === undefined && shape === "line")
      ? ["ANGLE FOLLOW", "POSITION CC"]
      : [`POSITION ${(position ?? { point: "auto", line: "cc", polygon: "cc" }[shape]).toUpperCase()}`];
  return block("LABEL", [
    `TEXT '${items.reference(labelText(text))}'`,
    'TYPE TRUETYPE FONT "sans"',
    `SIZE ${number(size, [4, 100], 10, items)}`,
    `COLOR ${colour(color, items)}`,
    ...(outlineColor === undefined ? [] : [`OUTLINECOLOR ${colour(outlineColor, items)} OUTLINEWIDTH 1`]),
    ...place,
    ...(shape === "point" ? ["OFFSET 6 6"] : []),
    "PARTIALS FALSE",
  ]);
}

/** A number between `least` and `most`, or a reference to such a number in each row. */
function number(value: StyleNumber, [least, most]: [number, number], fallback: number, items: Items): string {
  return typeof value === "number" ? String(value) : items.reference(numberOf(value, least, most, fallback));
}

/** `#rrggbb` in quotes, or a reference to a colour in each row. Nothing is drawn for a row without one. */
function colour(value: StyleColour, items: Items): string {
  return typeof value === "string" ? `"${value}"` : items.reference(colourOf(value));
}

/** A text in double quotes, for MapServer to show as it is: quotes, backslashes and references are removed from it. */
function displayText(text: string): string {
  return text
    .replace(/[\p{C}\p{Zl}\p{Zp}]/gu, " ")
    .replaceAll('"', "”")
    .replaceAll("\\", "⧵")
    .replaceAll("[", "(")
    .replaceAll("]", ")");
}

export function block(keyword: string, lines: readonly string[]): string {
  return [keyword, ...lines.map((line) => line.replace(/^/gm, "  ")), "END"].join("\n");
}
