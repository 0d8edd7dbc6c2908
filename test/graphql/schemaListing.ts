/**
 * A printed GraphQL schema as a listing that a person can review. `Books as Cities` says that all root fields and types
 * of the table `Books` are those of `Cities` under its own name. Below it each column is a line. The rest is written
 * out. The listing is complete: two schemas with one listing are the same schema.
 */
import {
  parse,
  print,
  type DefinitionNode,
  type FieldDefinitionNode,
  type InputValueDefinitionNode,
  type ObjectTypeDefinitionNode,
  type StringValueNode,
} from "graphql";

/** Texts of fields and types by their names. In those of a table, `‹T›` stands for its name. */
type Pieces = ReadonlyMap<string, string>;

interface Table {
  readonly name: string;
  /** The parts that it shares with other tables. */
  readonly usual: Pieces;
  readonly columns: Pieces;
}

const ROOTS = ["Mutation", "Query", "Subscription"];
/** The types of a table that have a field for each of its columns, after its name. */
const OF_COLUMNS = ["", "By", "Counts", "Extents", "Extremes", "Numbers"];
/** Fields of a row that are not columns. */
const OF_ROWS = ["_version", "nodeId"];
const NAME = "‹T›";

/** Both are SDL, sorted. The listing says how `schema` differs from `base`. */
export function listSchema(schema: string, base: string): string {
  const known = readSchema(base);
  const read = readSchema(schema);
  const places = new Map<string, string>();
  for (const piece of known.pieces) shorten(piece, places);

  const lines = read.tables.flatMap((table, index) => [
    ...listTable(table, [...known.tables, ...read.tables.slice(0, index)], places),
    "",
  ]);
  return [...lines, ...differences(read.others, known.others, places)].join("\n").trimEnd() + "\n";
}

interface ReadSchema {
  readonly tables: readonly Table[];
  readonly others: Pieces;
  readonly pieces: Pieces;
}

function readSchema(text: string): ReadSchema {
  const { definitions } = parse(text);
  const types = new Map(
    definitions.map((definition) => [(definition as ObjectTypeDefinitionNode).name.value, definition]),
  );
  const names = fieldsOf(types.get("Query")).flatMap(({ name: { value } }) =>
    value.startsWith("get") && types.has(value.slice(3)) ? [value.slice(3)] : [],
  );

  const pieces = new Map(definitions.flatMap((definition) => piecesOf(definition, names)));
  const owned = Map.groupBy(pieces, ([key]) => ownerOf(key, names));
  const tables = names.map((name) => {
    const usual = (owned.get(name) ?? []).map(([key, piece]) => [unnamed(key, name), unnamed(piece, name)] as const);
    return { name, usual: new Map(usual), columns: columnsOf(name, types) };
  });
  return { tables, others: new Map(owned.get(undefined)), pieces };
}

/** The whole definition without the columns of tables. */
function piecesOf(definition: DefinitionNode, tables: readonly string[]) {
  const name = (definition as ObjectTypeDefinitionNode).name.value;
  const ofColumns = tables.some((table) => OF_COLUMNS.some((suffix) => name === table + suffix));
  if (!ofColumns && !ROOTS.includes(name)) return [[name, print(definition)] as const];
  const fields = fieldsOf(definition).filter((field) => ROOTS.includes(name) || isOfRow(field, name, tables));
  return [
    [name, print({ ...definition, fields: [] } as DefinitionNode)] as const,
    ...fields.map((field) => [`${name}.${field.name.value}`, printField(field)] as const),
  ];
}

function isOfRow(field: FieldDefinitionNode, type: string, tables: readonly string[]): boolean {
  return tables.includes(type) && OF_ROWS.includes(field.name.value);
}

/** The table with the longest name that the name of a root field contains, or that of a type begins with. */
function ownerOf(key: string, tables: readonly string[]): string | undefined {
  const [type = "", field = ""] = key.split(".");
  const owners = tables.filter((table) => (ROOTS.includes(type) ? field.includes(table) : type.startsWith(table)));
  return owners.sort((one, other) => other.length - one.length)[0];
}

function unnamed(text: string, table: string): string {
  return text.replaceAll(table, NAME);
}

/** A line for each column: its field's type in each of the types that have one for each column. */
function columnsOf(table: string, types: ReadonlyMap<string, DefinitionNode>): Pieces {
  const found = OF_COLUMNS.flatMap((suffix) =>
    fieldsOf(types.get(table + suffix))
      .filter((field) => !isOfRow(field, table + suffix, [table]))
      .map((field) => ({ name: field.name.value, text: `${suffix} ${printField(field)}` })),
  );
  const columns = Map.groupBy(found, ({ name }) => name);
  return new Map([...columns].map(([name, fields]) => [`${table}.${name}`, fields.map(sayColumn).join("; ")]));
}

/** The first is that of a row, if the column has one. Only the first line has the name. */
function sayColumn({ name, text }: { name: string; text: string }, index: number): string {
  const said = text.replace(` ${name}: `, " ").trim();
  if (index > 0) return said;
  return text.startsWith(` ${name}`) ? text.trim() : `${name} of ${said}`;
}

function fieldsOf(definition: DefinitionNode | undefined): readonly FieldDefinitionNode[] {
  return (definition as ObjectTypeDefinitionNode | undefined)?.fields ?? [];
}

function printField(field: FieldDefinitionNode): string {
  const after = [
    print(field.type),
    ...(field.directives ?? []).map((node) => print(node)),
    ...described(field.description),
  ];
  return `${field.name.value}${printArguments(field.arguments ?? [])}: ${after.join(" ")}`;
}

function printArguments(list: readonly InputValueDefinitionNode[]): string {
  const texts = list.map(({ description, ...bare }) => [print(bare), ...described(description)].join(" "));
  if (texts.length < 2) return texts.length > 0 ? `(${texts[0]!})` : "";
  return `(\n${texts.map((text) => `    ${text}\n`).join("")}  )`;
}

function described(description: StringValueNode | undefined): string[] {
  return description ? [JSON.stringify(description.value)] : [];
}

function listTable(table: Table, seen: readonly Table[], places: Map<string, string>): string[] {
  const best = seen.reduce((one, other) => (distance(table, other) < distance(table, one) ? other : one));
  const lines = differences(table.usual, best.usual, places);
  return [
    `${table.name} as ${best.name}${lines.length > 0 ? ", but" : ""}`,
    ...lines.map((line) => `  ${line}`),
    ...[...table.columns].flatMap((column) => shorten(column, places).split("\n")).map((line) => `  ${line}`),
  ];
}

function distance(one: Table, other: Table): number {
  const keys = new Set([...one.usual.keys(), ...other.usual.keys()]);
  return [...keys].filter((key) => one.usual.get(key) !== other.usual.get(key)).length;
}

/** `-` is in the base alone; `+` is not in the base, or differs there. */
function differences(actual: Pieces, base: Pieces, places: Map<string, string>): string[] {
  const gone = [...base.keys()].filter((key) => !actual.has(key)).map((key) => `- ${key}`);
  const come = [...actual].filter(([key, text]) => base.get(key) !== text);
  const said = ([key, text]: [string, string]) => `${key.replace(/[^.]*$/, "")}${shorten([key, text], places)}`;
  return [...gone, ...come.flatMap((piece) => `+ ${said(piece)}`.split("\n"))];
}

/** A list of arguments that repeats another field's is written as `as` and that field. */
function shorten([key, text]: readonly [string, string], places: Map<string, string>): string {
  const [args] = /\(\n[^]*\n  \)/.exec(text) ?? [];
  if (args === undefined || !key.includes(".")) return text;
  const place = places.get(args);
  if (place !== undefined) return text.replace(args, `(as ${place})`);
  places.set(args, key);
  return text;
}
