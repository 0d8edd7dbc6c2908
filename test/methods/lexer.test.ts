import assert from "node:assert/strict";
import { loadModule, parseSync, scanSync } from "libpg-query";
import pg from "pg";
import { lex } from "../../server/methods/statement/lexer.ts";
import { readStatement } from "../../server/methods/statement/statement.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";

/** The parameters that PostgreSQL's own scanner sees in the text that is sent. */
function scanned(text: string): number[] {
  return scanSync(text).tokens.flatMap(({ tokenName, text: token }) =>
    tokenName === "PARAM" ? Number(token.slice(1)) : [],
  );
}

/** A generator of the same numbers each time. */
function random(seed: number): (below: number) => number {
  return (below) => {
    seed = (seed * 1_103_515_245 + 12_345) & 0x7fffffff;
    return Math.floor((seed / 0x7fffffff) * below) % below;
  };
}

const PIECES = [
  ":a",
  ":b",
  ":Ümlaut",
  ":_x1",
  ":a$b",
  "::int",
  "::text",
  ":=",
  ": :a",
  "'",
  "''",
  "'it''s :no'",
  "E'\\' :no'",
  "e'\\\\'",
  "E'a'\n '\\':no'",
  "U&'\\0041:no'",
  'u&"x:no"',
  "B'01'",
  "N'x'",
  '"q:no"',
  '"a"":no"',
  '"',
  "$$ :no $$",
  "$t$ :no $$ $t$",
  "$",
  "$$",
  "a$b$ :a",
  "-- :no\n",
  "/* :no */",
  "/* /* :no */ :no */",
  "/*",
  "*/",
  "--",
  "\n",
  "\r",
  "\t",
  " ",
  "[",
  "]",
  "a[1:2]",
  "a[:a]",
  "a[x:y]",
  "a[:a : :b]",
  "a[1:]",
  "a[:2]",
  "arr[:a:5]",
  "array[:a, :b]",
  "(",
  ")",
  ",",
  ";",
  "select",
  "from",
  "t",
  "1",
  "1.5",
  "1e5",
  "1e",
  ".5",
  "0x1F",
  "+",
  "-",
  "@-",
  "||",
  "<>",
  "=>",
  "and",
  "in",
  "\\",
  "\u00e9",
  "\u{1f600}",
  "E",
  "e",
  "U&",
  "n",
];

describe("the lexer of named parameters", () => {
  let database: TestDatabase;

  before(async () => {
    await loadModule();
    database = await testDatabase({ kind: "portolan" });
  });

  after(() => database.drop());

  it("agrees with the database: it refuses the statements that REST refuses, and no other", async () => {
    const next = random(2);
    const known = PIECES.filter((piece) => piece !== "0x1F"); // PostgreSQL knows it from 16 on
    const texts = Array.from({ length: 6000 }, () => {
      const pieces = Array.from({ length: 1 + next(8) }, () => known[next(known.length)]);
      return `select ${next(2) === 0 ? "1, " : ""}${pieces.join(next(3) === 0 ? "" : " ")}`;
    });
    const { rows } = await database.client.query<{ q: string; problem: string | null }>(
      "select q, portolan.statement_problem(q) as problem from unnest($1::text[]) q",
      [texts],
    );
    const others: unknown[] = [];
    let read = 0;
    for (const { q, problem } of rows) {
      let refused: string | null = null;
      try {
        readStatement(q);
        read++;
      } catch (error) {
        refused = (error as Error).message;
      }
      // only libpg-query takes a parameter where a name must be
      const isOfPostgres = refused === null && /^syntax error at or near "\$\d+"$/.test(problem ?? "");
      if ((problem === null) !== (refused === null) && !isOfPostgres) others.push([q, problem, refused]);
    }
    assert.deepEqual(others, []);
    assert.ok(read > 300, String(read));
  });

  it("finds parameters where PostgreSQL would, in any text of these pieces", () => {
    const next = random(1);
    let found = 0;
    for (let n = 0; n < 30_000; n++) {
      const text = Array.from({ length: 1 + next(10) }, () => PIECES[next(PIECES.length)]).join(
        next(3) === 0 ? "" : " ",
      );
      const lexed = lex(text);
      if (lexed.positional !== undefined) continue;
      let seen: number[];
      try {
        seen = scanned(lexed.text);
      } catch {
        continue; // not closed, or not a token: PostgreSQL refuses the whole text
      }
      const ours = [...lexed.text.matchAll(/ \$(\d+)/g)].length;
      assert.ok(
        seen.every((number) => number >= 1 && number <= lexed.parameters.length),
        JSON.stringify([text, lexed.text]),
      );
      assert.deepEqual(
        [...new Set(seen)].sort(),
        lexed.parameters.map((_, index) => index + 1),
        JSON.stringify([text, lexed.text]),
      );
      assert.ok(ours >= seen.length);
      found += seen.length;
    }
    assert.ok(found > 5000, String(found));
  });

  it("PostgreSQL sees as many parameters as there are names, in valid statements", async () => {
    const expressions: readonly (readonly [sql: string, names: readonly string[]])[] = [
      [":a::int + :b::int", ["a", "b"]],
      ["(array[1,2,3])[:lo::int : :hi::int]", ["lo", "hi"]],
      ["(array[1,2,3])[1:2]", []],
      ["(array[1,2,3])[:i::int]", ["i"]],
      ["':x' || E'\\':x' || $$:x$$ || :a::text", ["a"]],
      ["U&'\\0041 :x' || :é::text", ["é"]],
      ["1 /* :x /* :y */ */ + :a::int -- :z", ["a"]],
      ['(select ":x" from (select 1) t (":x")) + :a::int', ["a"]],
      ["make_date(year => :y::int, month := :m::int, day => 1)", ["y", "m"]],
      ["case when :a::bool then :b::int else :a::bool::int end", ["a", "b"]],
      ["(array[:a::int, 2])[1 + :b::int - 1]", ["a", "b"]],
      ["E'a'\n'\\':x' || :a::text", ["a"]],
    ];
    for (const [sql, names] of expressions) {
      const { text, parameters } = lex(`select ${sql}`);
      assert.deepEqual(parameters, names, sql);
      parseSync(text);
      const name = pg.escapeIdentifier(sql.slice(0, 60));
      await database.client.query(`prepare ${name} as ${text}`);
      const { rows } = await database.client.query(
        "select cardinality(parameter_types) as n from pg_prepared_statements where name = $1",
        [sql.slice(0, 60)],
      );
      assert.equal(rows[0].n, names.length, sql);
    }
  });

  it("maps a place of the sent text to the source", () => {
    const source = "select :name, :other::int, nme";
    const { text, toSource } = lex(source);
    assert.equal(source.slice(toSource(text.indexOf("nme"))), "nme");
    assert.equal(source.slice(toSource(text.indexOf("$2"))), ":other::int, nme");
    assert.equal(toSource(text.length), source.length);
  });

  it("places are counted in characters, as PostgreSQL does, not in units of UTF-16", () => {
    const source = "select '😀😀😀😀😀😀😀😀😀😀', :long_name::int, nme";
    const { text, toSource } = lex(source);
    const place = Array.from(text).indexOf("m");
    assert.equal(
      Array.from(source)
        .slice(toSource(place) - 1)
        .join(""),
      "nme",
    );
  });
});
