/** Types as TypeScript writes them, and the declarations of methods. */
import type { Column } from "../formats/column.ts";
import { typeEntry } from "./values/columns.ts";
import type { OutputFormat } from "../formats/names.ts";
import type { FoundTypes } from "./method.ts";
import type { Prepared } from "./statement/prepare.ts";
import type { ColumnType } from "../types/columnType.ts";
import { rowOf } from "../types/table.ts";

const HELPERS: readonly (readonly [name: string, text: string])[] = [
  ["Json", "export type Json = string | number | boolean | null | Json[] | { [member: string]: Json };"],
  ["Float", 'export type Float = number | "NaN" | "Infinity" | "-Infinity";'],
  [
    "Interval",
    'export type Interval =\n  | { y: number; m: number; d: number; h: number; i: number; s: number }\n  | "infinity"\n  | "-infinity";',
  ],
  [
    "Range",
    "export interface Range<Bound> { lower: Bound | null; upper: Bound | null; lowerInclusive: boolean; upperInclusive: boolean }",
  ],
  ["Point", "export interface Point { x: Float; y: Float }"],
  ["Line", "export interface Line { A: Float; B: Float; C: Float }"],
  ["Lseg", "export interface Lseg { start: Point; end: Point }"],
  ["Box", "export interface Box { start: Point; end: Point }"],
  ["Path", "export interface Path { closed: boolean; points: Point[] }"],
  ["Polygon", "export interface Polygon { points: Point[] }"],
  ["Circle", "export interface Circle { center: Point; radius: Float }"],
  [
    "Geometry",
    'export type Geometry =\n  | { type: "Point"; coordinates: number[] }\n  | { type: "MultiPoint" | "LineString"; coordinates: number[][] }\n  | { type: "MultiLineString" | "Polygon"; coordinates: number[][][] }\n  | { type: "MultiPolygon"; coordinates: number[][][][] }\n  | { type: "GeometryCollection"; geometries: Geometry[] };',
  ],
];

/** The type of values that are returned. `input`: of values that are sent, where numbers may also be text. */
export function typescriptOf(type: ColumnType, input = false): string {
  const element = type.element && typescriptOf(type.element, input);
  switch (type.kind) {
    case "array":
      return `(${element} | null)[]`;
    case "range":
      return `Range<${element}>`;
    case "multirange":
      return `Range<${element}>[]`;
    case "composite":
      return `{ ${(type.attributes ?? [])
        .map((attribute) => `${property(attribute.name)}: ${typescriptOf(attribute.type, input)} | null`)
        .join("; ")} }`;
    default: {
      if (type.labels) return type.labels.map((label) => JSON.stringify(label)).join(" | ") || "never";
      const { typescript, typescriptIn = typescript } = rowOf(type);
      return input ? typescriptIn : typescript;
    }
  }
}

/** The parameters' types from a dry run. `nullable`: those that null was given for. */
export function inputTypes({ statement, parameters, hinted }: Prepared, nullable: ReadonlySet<string>): FoundTypes {
  return Object.fromEntries(
    statement.parameters.map((name, index) => {
      const type = parameters[index]!;
      const guessed = statement.untyped.has(name) && hinted[index] === 0 && type.name === "text";
      const typescript = guessed
        ? UNKNOWN_PARAMETER
        : `${typescriptOf(type, true)}${nullable.has(name) ? " | null" : ""}`;
      return [name, { ...typeEntry(type), typescript }];
    }),
  );
}

/** The columns' types from a dry run. `nullable`: whether each may be null. */
export function outputTypes(columns: readonly Column[], nullable: readonly boolean[]): FoundTypes {
  return Object.fromEntries(
    columns.map(({ name, type }, index) => [
      name,
      { ...typeEntry(type), typescript: `${typescriptOf(type)}${(nullable[index] ?? true) ? " | null" : ""}` },
    ]),
  );
}

const UNKNOWN_PARAMETER = "Record<string, unknown>";

/** The input for the declaration of a method. */
export interface Declared {
  readonly method: string;
  readonly description: string | null;
  readonly outputFormat: OutputFormat;
  /** Names in order, for a method that no dry run has typed. */
  readonly parameters: readonly string[];
  readonly inputSchema?: FoundTypes | undefined;
  readonly outputSchema?: FoundTypes | undefined;
}

/** A TypeScript module: the interface `Methods`, and the helper types that it needs. */
export function declarations(methods: readonly Declared[]): string {
  const lines = methods.map(declare);
  const body = lines.join("\n");
  const helpers = neededHelpers(body);
  const head = "// Made by Portolan from its stored methods: do not edit.\n";
  return `${head}\n${helpers.map((text) => `${text}\n\n`).join("")}export interface Methods {\n${body}${body && "\n"}}\n`;
}

function neededHelpers(body: string): string[] {
  const needed = new Set<string>();
  const add = (text: string): void => {
    const code = text.replaceAll(/"(?:[^"\\]|\\.)*"|\/\*.*?\*\//g, "");
    for (const [name, helper] of HELPERS)
      if (!needed.has(name) && new RegExp(`\\b${name}\\b`).test(code)) {
        needed.add(name);
        add(helper);
      }
  };
  add(body);
  return HELPERS.filter(([name]) => needed.has(name)).map(([, text]) => text);
}

function declare({ method, description, outputFormat, parameters, inputSchema, outputSchema }: Declared): string {
  const inputs = parameters.map((name) => {
    const found = inputSchema?.[name];
    return `${property(name)}${found?.optional ? "?" : ""}: ${found?.typescript ?? UNKNOWN_PARAMETER}`;
  });
  const outputs =
    outputSchema && Object.entries(outputSchema).map(([name, { typescript }]) => `${property(name)}: ${typescript}`);
  const params = inputs.length === 0 ? "params?: Record<string, never>" : `params: { ${inputs.join("; ")} }`;
  const rows = outputs
    ? outputs.length === 0
      ? "Record<string, never>[]"
      : `{ ${outputs.join("; ")} }[]`
    : "Record<string, unknown>[]";
  const result = outputFormat === "json" || outputs?.length === 0 ? rows : "string"; // a document, or base64 of it
  const comment = description
    ? `  /** ${description.replaceAll("*/", "*\\/").replaceAll(/\s+/g, " ").trim()} */\n`
    : "";
  const name = method === "new" ? '"new"' : property(method); // without quotes it would declare a constructor
  return `${comment}  ${name}(${params}): Promise<${result}>;`;
}

/** A member's name: as it is where TypeScript takes it, else as a string. */
function property(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name)
    ? name
    : JSON.stringify(name).replaceAll("\u2028", "\\u2028").replaceAll("\u2029", "\\u2029");
}
