/** The rows of docs/reference/ that come from the code: types, operators, functions of SQL and metrics. */
import { globSync, readFileSync } from "node:fs";
import { basename, join } from "node:path";
import { OPERATORS } from "../../server/filter/tree.ts";
import { operatorsOf } from "../../server/filter/operators.ts";
import type { ColumnType, TypeKind } from "../../server/types/columnType.ts";
import { baseRow, TYPE_NAMES } from "../../server/types/table.ts";

const ROOT = join(import.meta.dirname, "../..");
const BUILT_IN = "pg_catalog";
/** The schema of extensions; any schema but PostgreSQL's works. */
const OF_EXTENSIONS = "public";

type Row = readonly string[];

function code(text: string): string {
  return text && `\`${text}\``;
}

/** Types with their own row, without those that only PostgreSQL itself writes. */
function types(): ColumnType[] {
  return TYPE_NAMES.flatMap((name) => {
    const isExtension = ["geometry", "geography", "box2d", "citext", "hstore"].includes(name);
    const schema = isExtension ? OF_EXTENSIONS : BUILT_IN;
    const row = baseRow({ schema, name });
    return row.hasArrays === false ? [] : [{ kind: row.kind, schema, name, ...(isExtension && { operators: schema }) }];
  });
}

/** The form of each type at each door. */
export function typeRows(): Row[] {
  return types().map(({ schema, name }) => {
    const { graphqlName, typescript, typescriptIn, schema: json } = baseRow({ schema, name });
    const taken = typescriptIn === undefined || typescriptIn === typescript ? "" : `, takes ${code(typescriptIn)}`;
    const { type = "any value", format } = json as { type?: string; format?: string };
    return [
      code(name),
      code(graphqlName),
      `${code(typescript)}${taken}`,
      format === undefined ? type : `${type}, ${format}`,
    ];
  });
}

/** Types that consist of others, with elements that compare as numbers do. */
const MADE: Readonly<Record<string, ColumnType>> = Object.fromEntries(
  (["array", "range", "multirange", "composite"] as const satisfies TypeKind[]).map((kind) => [
    kind,
    { kind, schema: BUILT_IN, name: kind, element: { kind: "integer", schema: BUILT_IN, name: "int4" } },
  ]),
);

/** The types whose columns take each operator of the filter language. */
export function operatorRows(): Row[] {
  const all = [...types(), ...Object.values(MADE)].map((type) => ({ name: type.name, operators: operatorsOf(type) }));
  return OPERATORS.map((operator) => {
    const [taking, refusing] = [true, false].map((takes) =>
      all.filter(({ operators }) => operators.includes(operator) === takes).map(({ name }) => code(name)),
    ) as [string[], string[]];
    if (refusing.length === 0) return [code(operator), "every type"];
    const list = refusing.length < 12 ? `every type but ${refusing.join(", ")}` : taking.join(", ");
    return [code(operator), list];
  });
}

const AUDIENCES: Readonly<Record<string, string>> = { public: "everybody", owner: "super users" };

/** The functions of schema `portolan` that people call, with the heads of their files. */
export function functionRows(): Row[] {
  const rights = readFileSync(join(ROOT, "sql/access/wanted_rights.sql"), "utf8");
  const files = new Map(globSync("sql/*/*.sql", { cwd: ROOT }).map((file) => [basename(file, ".sql"), file]));
  const callers = [...rights.matchAll(/'(\w+)', unnest\('\{([^}]*)\}'::name\[\]\)/g)].flatMap(
    ([, audience = "", names = ""]) =>
      names.split(",").flatMap((name) => (audience in AUDIENCES ? [[name.trim(), AUDIENCES[audience]!] as const] : [])),
  );
  return callers
    .flatMap(([name, who]) => {
      const file = files.get(name);
      const text = file === undefined ? "" : readFileSync(join(ROOT, file), "utf8");
      const [, head = "", args = "", result = ""] = FUNCTION.exec(text) ?? [];
      const said = head.replaceAll(/^-- ?/gm, "");
      return head ? [[code(oneLine(`${name}(${args})`)), code(oneLine(result)), who, oneLine(said)]] : [];
    })
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
}

/** A file of `sql/`: its head, the function's arguments, and what it returns. */
const FUNCTION =
  /^((?:--.*\n)+)create or replace function portolan\.\w+\s*\(([^]*?)\)\s+returns\s+([^]*?)\n\s+language/;

function oneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

const METRIC =
  /(Gauge|Counter|Histogram|gauge|counter)(?:<[^>]*>)?\(\s*(?:\{\s*name: )?"(portolan_\w+)",\s*(?:help: )?("(?:[^"\\]|\\.)*")/g;

/** Counters in a list of name, help and labels. */
const LISTED = /\[\s*"(portolan_\w+_total)",\s*("(?:[^"\\]|\\.)*")/g;

/** Portolan's own metrics of `/metrics`. */
export function metricRows(): Row[] {
  return globSync("{server,ogc}/**/*.ts", { cwd: ROOT })
    .flatMap((file) => {
      const text = readFileSync(join(ROOT, file), "utf8");
      const listed = [...text.matchAll(LISTED)].map(([found, name, help]) => [found, "counter", name, help]);
      return [...text.matchAll(METRIC), ...listed];
    })
    .map(([, kind = "", name = "", help = ""]) => [code(name), kind.toLowerCase(), JSON.parse(help) as string])
    .sort(([one = ""], [other = ""]) => (one < other ? -1 : 1));
}
