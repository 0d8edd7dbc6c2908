import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { loadModule, parsePlPgSQLSync, parseSync } from "libpg-query";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

const GOLDEN = join(import.meta.dirname, "callableFunctions.txt");

interface Definer {
  readonly name: string;
  readonly language: string;
  readonly settings: readonly string[] | null;
  readonly definition: string;
}

/** Portolan does not make functions of extensions. */
const OF_EXTENSION =
  "exists (select from pg_depend d where d.classid = 'pg_proc'::regclass and d.objid = p.oid and d.deptype = 'e')";

const DEFINERS = `
select p.oid::regprocedure::text as name, l.lanname as language, p.proconfig as settings, pg_get_functiondef(p.oid) as definition
from pg_proc p join pg_language l on l.oid = p.prolang
where p.prosecdef and not ${OF_EXTENSION}
order by 1`;

/** By the names under which rights are given (`wanted_rights`). */
const CALLABLE = `
select distinct p.proname, format('%s %s %s',
  case when has_function_privilege('public', p.oid, 'execute') then 'public' else '      ' end,
  case when p.prosecdef then 'definer' else '       ' end, p.proname) as line
from pg_proc p
where p.pronamespace = 'portolan'::regnamespace and p.proname !~ '^tg_\\d+__' and not ${OF_EXTENSION}
  and (p.prosecdef or has_function_privilege('public', p.oid, 'execute'))
order by p.proname, line`;

type Node = Readonly<Record<string, unknown>>;

/** All nodes of a tree, each with the name of its kind. */
function* nodesOf(tree: unknown): Generator<readonly [kind: string, node: Node]> {
  if (Array.isArray(tree)) for (const each of tree) yield* nodesOf(each);
  else if (typeof tree === "object" && tree !== null)
    for (const [kind, node] of Object.entries(tree)) {
      if (typeof node === "object" && node !== null && !Array.isArray(node)) yield [kind, node as Node];
      yield* nodesOf(node);
    }
}

const length = (names: unknown): number => (names as readonly unknown[] | undefined)?.length ?? 0;

/** Names without a schema in a statement: the caller's `search_path` and temporary objects decide their meaning. */
function unqualified(statement: string, given: ReadonlySet<string>): string[] {
  const found: string[] = [];
  const ctes = new Set<unknown>();
  const nodes = [...nodesOf(parseSync(statement))];
  for (const [kind, node] of nodes) if (kind === "CommonTableExpr") ctes.add(node["ctename"]);
  for (const [kind, node] of nodes) {
    const { relname, schemaname, funcname, names, typeName, name } = node;
    const isKnown = given.has(String(relname)) || ctes.has(relname);
    if (relname !== undefined && schemaname === undefined && !isKnown) found.push(`relation ${String(relname)}`);
    if (kind === "FuncCall" && length(funcname) < 2) found.push(`function ${JSON.stringify(funcname)}`);
    const types = [...(kind === "TypeName" ? [names] : []), ...(typeName ? [(typeName as Node)["names"]] : [])];
    for (const type of types) if (length(type) < 2) found.push(`type ${JSON.stringify(type)}`);
    if (kind === "A_Expr" && length(name) < 2) found.push(`operator ${JSON.stringify(name)}`);
  }
  return found;
}

/** The same for a function in PL/pgSQL, with the types of its variables. */
function unqualifiedIn({ definition }: Definer, given: ReadonlySet<string>): string[] {
  const found: string[] = [];
  for (const [kind, node] of nodesOf(parsePlPgSQLSync(definition))) {
    if (kind === "PLpgSQL_var" && node["lineno"] !== undefined) {
      const { typname } = (node["datatype"] as { PLpgSQL_type: { typname: string } }).PLpgSQL_type;
      if (!/^(pg_catalog|portolan)\./.test(typname))
        found.push(`type of variable ${String(node["refname"])}: ${typname}`);
    }
    if (kind !== "PLpgSQL_expr") continue;
    const { query, parseMode } = node as { query: string; parseMode: number };
    const expression = parseMode === 3 ? query.slice(query.indexOf(":=") + 2) : query;
    found.push(...unqualified(parseMode === 0 ? query : `select ${expression}`, given));
  }
  return found;
}

describe("functions that run with more than the caller's rights", () => {
  let database: TestDatabase;
  before(async () => {
    await loadModule();
    database = await testDatabase({ kind: "demo" });
    await database.client.query(`
create schema app;
create table app.kept (id int primary key, a text, geom geometry(Point, 4326));
create table app.parts (id int, part int, primary key (id, part)) partition by list (part);
create table app.first_part partition of app.parts for values in (1);
select portolan.enable_versioning(t), portolan.enable_events(t), portolan.enable_workflow(t)
from unnest('{app.kept,app.parts}'::regclass[]) t`);
  });
  after(() => database.drop());

  it("look names up in pg_catalog and their own body alone, whatever the caller's search_path and temporary objects are", async () => {
    const { rows } = await database.client.query<Definer>(DEFINERS);
    assert.ok(rows.length > 100, "there are definer functions");
    const open = rows.filter(({ settings }) => !settings?.includes("search_path=pg_catalog, pg_temp"));
    assert.ok(open.length > 0, "those on the path of every written row have no settings");
    const transitions = new Set(["old_rows", "new_rows"]);
    const problems = open.flatMap((one) =>
      one.language === "plpgsql"
        ? unqualifiedIn(one, transitions).map((problem) => `${one.name}: ${problem}`)
        : [`${one.name}: no search_path`],
    );
    assert.deepEqual([...new Set(problems)], []);
  });

  it("and an unqualified name is found", () => {
    const names = (body: string): string[] =>
      unqualifiedIn(
        { definition: `create function x() returns int language plpgsql as $$ ${body} $$` } as Definer,
        new Set(),
      );
    for (const body of [
      "begin if 1 = 1 then null; end if; end",
      "declare v text; begin end",
      "begin perform lower('a'); end",
      "declare v pg_catalog.text; begin v := 'a'::text; end",
      "begin insert into t select 1; end",
      "begin perform 1 in (2); end",
    ])
      assert.equal(names(body).length, 1, body);
    assert.deepEqual(
      names(
        "declare v pg_catalog.text; begin v := pg_catalog.lower('a'::pg_catalog.text); if 1 operator(pg_catalog.=) 1 then null; end if; end",
      ),
      [],
    );
  });

  it("are, with those that the public may call, the listed ones", async () => {
    const { rows } = await database.client.query<{ line: string }>(CALLABLE);
    const text = `${rows.map(({ line }) => line.trimEnd()).join("\n")}\n`;
    if (process.env["UPDATE_SNAPSHOTS"]) writeFileSync(GOLDEN, text);
    assert.equal(text, readFileSync(GOLDEN, "utf8"));
  });
});
