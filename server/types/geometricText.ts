/** JSON of PostgreSQL's own geometric types (`Point`, `Line`, `Lseg`, `Box`, `Path`, `Polygon`, `Circle`) → its text. */
import { badInput } from "../ground/errors.ts";
import { decimalText, elements, isObject, members, storableText, type JsonObject } from "./json.ts";
import { at, show } from "./show.ts";

interface Form {
  /** The shape in words, for messages. */
  readonly expected: string;
  toText(json: JsonObject, path: string): string;
}

function point(json: unknown, path: string): string {
  if (!isObject(json)) return badInput(`${path}: expected a point {"x", "y"}, got ${show(json)}`);
  const { x, y } = members(json, ["x", "y"], path, `a point {"x", "y"}`);
  return `(${decimalText(x, at(path, "x"))},${decimalText(y, at(path, "y"))})`;
}

function points(json: unknown, path: string): string {
  const list = elements(json, path, "a list of points");
  if (list.length === 0) badInput(`${path}: expected at least one point`);
  return list.map(([element, elementPath]) => point(element, elementPath)).join(",");
}

/** The two corners or ends of a segment or box. */
function startEnd(expected: string, open: string, close: string): Form {
  return {
    expected,
    toText(json, path) {
      const { start, end } = members(json, ["start", "end"], path, expected);
      return `${open}${point(start, at(path, "start"))},${point(end, at(path, "end"))}${close}`;
    },
  };
}

const FORMS = new Map<string, Form>([
  ["point", { expected: `{"x", "y"}`, toText: point }],
  [
    "line",
    {
      expected: `{"A", "B", "C"}`,
      toText(json, path) {
        const line = members(json, ["A", "B", "C"], path, this.expected);
        const [a, b, c] = (["A", "B", "C"] as const).map((name) => decimalText(line[name], at(path, name)));
        return `{${a},${b},${c}}`;
      },
    },
  ],
  ["lseg", startEnd(`{"start", "end"}`, "[", "]")],
  ["box", startEnd(`{"start", "end"}`, "", "")],
  [
    "circle",
    {
      expected: `{"center", "radius"}`,
      toText(json, path) {
        const { center, radius } = members(json, ["center", "radius"], path, this.expected);
        return `<${point(center, at(path, "center"))},${decimalText(radius, at(path, "radius"))}>`;
      },
    },
  ],
  [
    "path",
    {
      expected: `{"closed", "points"}`,
      toText(json, path) {
        const { closed, points: list } = members(json, ["closed", "points"], path, this.expected);
        if (closed !== undefined && closed !== null && typeof closed !== "boolean") {
          badInput(`${at(path, "closed")}: expected true or false, got ${show(closed)}`);
        }
        const inside = points(list, at(path, "points"));
        return closed === true ? `(${inside})` : `[${inside}]`;
      },
    },
  ],
  [
    "polygon",
    {
      expected: `{"points"}`,
      toText(json, path) {
        const { points: list } = members(json, ["points"], path, this.expected);
        return `(${points(list, at(path, "points"))})`;
      },
    },
  ],
]);

/** A path or polygon that is written as a list, as its object; undefined for a list that is neither. */
function fromList(list: readonly unknown[], name: string): JsonObject | undefined {
  if (name === "polygon") return { points: list };
  const [closed, ...rest] = list;
  return name === "path" && typeof closed === "boolean" ? { closed, points: rest } : undefined;
}

/** Whether a list within a list is a path, not a further dimension. */
export function isPathList([first]: readonly unknown[]): boolean {
  return typeof first === "boolean";
}

/** The same of a polygon. */
export function isPolygonList([first]: readonly unknown[]): boolean {
  return isObject(first) && "x" in first;
}

/**
 * PostgreSQL's text of a geometric value. `json`: the object of the type `name`, for a path also the list `[closed,
 * …points]` and for a polygon that of its points, or PostgreSQL's own text. A path is open unless it says `closed: true`.
 * Throws `BAD_USER_INPUT`.
 */
export function geometricText(json: unknown, name: string, path: string): string {
  if (typeof json === "string") return storableText(json, path);
  const form = FORMS.get(name);
  if (!form) return badInput(`${path}: expected the text of a ${name}, got ${show(json)}`);
  const listed = Array.isArray(json) ? fromList(json, name) : undefined;
  if (listed) return form.toText(listed, path);
  if (!isObject(json)) return badInput(`${path}: expected a ${name} ${form.expected}, got ${show(json)}`);
  return form.toText(json, path);
}
