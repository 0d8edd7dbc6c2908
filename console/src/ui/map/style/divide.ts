/** Classes of a style from breaks of values. */
import type { ClassMethod, Drawing, Shape, StyleClass, ValueClass } from "../../../service/maps.ts";
import { coloursOf, type Ramp } from "./colours.ts";

/** The drawing of a shape in one colour. */
export function drawingOf(shape: Shape, color: string): Drawing {
  if (shape === "polygon") return { color, outlineColor: "#ffffff", width: 1 };
  return shape === "line" ? { color, width: 2 } : { symbol: "circle", size: 8, color };
}

export interface Classes {
  readonly column: string;
  readonly method: ClassMethod;
  readonly classes: readonly ValueClass[];
  readonly ramp: Ramp;
  readonly shape: Shape;
}

export function toStyle({ column, method, classes, ramp, shape }: Classes): readonly StyleClass[] {
  const colours = coloursOf(ramp, classes.length);
  return classes.map(({ lower, upper }, index) => {
    const styles = [drawingOf(shape, colours[index]!)];
    if (method === "unique") return { name: show(lower), where: { [column]: lower }, styles };
    const isLast = index === classes.length - 1;
    const where = { [column]: { gte: lower, [isLast ? "lte" : "lt"]: upper } };
    return { name: `${show(lower)} – ${show(upper)}`, where, styles };
  });
}

/** A number with four significant digits, since the name of a class has at most 100 characters. */
function show(value: unknown): string {
  if (typeof value === "number") return value.toLocaleString("en", { maximumSignificantDigits: 4 });
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.trim() === "" ? "(empty)" : text.slice(0, 45);
}
