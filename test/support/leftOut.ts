/** What runs over distributed tables, and what of it is left out because of a limit. docs/guides/cluster.md tells users of these. */

const HISTORY = "history needs triggers, which do not run on shards";
const EVENTS = "events need a slot on each node: test/citus/events.test.ts";
const CORRELATED = "Citus cannot push down a sub-select of the statement";
const RULES = "a shard knows only the role of the caller, and Citus copies restrictive policies as permissive ones";
const REQUEST = "a shard knows only the role of the caller: the rule is refused";
const INTERVALS = "a shard does not know the setting for intervals of the request";
const FUNCTIONS = "Citus plans no SQL function with parameters that reads distributed tables";
const SNAPSHOT = "commits on shards leave the snapshot of the coordinator as it is, so numbers are not kept";
const STABLE =
  "Citus calls no stable function with columns of a row that it updates, as the version for some columns has";

/** The fixtures of these files make tables of their own. Those of the demo stay on the coordinator. */
export const FILES: readonly string[] = [
  "test/access/rules.test.ts",
  ..."aggregates bulk mayUse orderBy pages plainReads".split(" ").map((name) => `test/graphql/${name}.test.ts`),
  ..."calls formats jsonRows jsonRpc options rights rows rules"
    .split(" ")
    .map((name) => `test/methods/${name}.test.ts`),
  ..."access badInput core crs editing filter filterRelated formats paging rights sorting values"
    .split(" ")
    .map((name) => `test/ogc/${name}.test.ts`),
];

/** Files that are left out, since nearly all of their tests meet the limit. */
export const FILES_LEFT_OUT: readonly (readonly [file: string, reason: string])[] = [
  [
    "test/graphql/nestedInserts.test.ts",
    "its tables have history, workflow and events, and so stay on the coordinator",
  ],
  ["test/graphql/rowVersions.test.ts", "its tables have history, and views that Citus cannot update"],
  ["test/graphql/writtenRows.test.ts", CORRELATED],
  ["test/ogc/functions.test.ts", FUNCTIONS],
  ["test/ogc/tables.test.ts", "its last table refers to a distributed one, but not by the distribution column"],
];

export interface LeftOut {
  readonly file: string;
  /** Full titles. */
  readonly test: RegExp;
  readonly reason: string;
}

const inFile = (file: string, ...tests: readonly (readonly [RegExp, string])[]): readonly LeftOut[] =>
  tests.map(([test, reason]) => ({ file: `test/${file}.test.ts`, test, reason }));

export const LEFT_OUT: readonly LeftOut[] = [
  ...inFile(
    "access/rules",
    [/service and address; in SQL/, REQUEST],
    [/\{\{key\}\} takes the type/, REQUEST],
    [/one with a \{\{key\}\} whose type/, REQUEST],
    [/for which service and which addresses/, REQUEST],
    [
      /sheds a rule by becoming one of its groups/,
      "a shard knows only the role as which the caller acts: the rule is refused",
    ],
    [/a denied write is 42501 also where it meets no rows/, "a trigger tells that, and triggers do not run on shards"],
    [/a team's own policies stay/, "Citus copies restrictive policies as permissive ones: the rule is refused"],
    [
      /what somebody takes away comes back/,
      "Citus does DDL on the shards after the event triggers, so what takes a policy away is refused",
    ],
  ),
  ...inFile("graphql/aggregates", [/over the rows that the caller may see/, CORRELATED]),
  ...inFile(
    "methods/rows",
    [/takes the filter, the order and the columns/, CORRELATED],
    [/shows each account what it may see/, RULES],
    [/reads a table as it was/, HISTORY],
    [/cuts the connection on a failure/, "a shard fails before the first row is sent"],
  ),
  ...inFile("methods/jsonRows", [
    /equal its own JSON when a statement is new/,
    "PostgreSQL writes no rows as JSON there, since Citus loses the names of columns",
  ]),
  ...inFile("methods/rules", [/a rule limits what a method reads/, RULES]),
  ...inFile(
    "ogc/editing",
    [
      /keeps columns that the caller may not see/,
      "Citus asks for a right on the reference table to which the written one refers",
    ],
    [
      /names the column of a check/,
      "a deferred foreign key, and values that a shard refuses, are told without their column",
    ],
    [/covers the columns that the caller may read, if/, STABLE],
    [/merges objects of json/, "the shards do not know the function that merges"],
    [/covers a view that PostgreSQL can write/, "Citus cannot write views"],
  ),
  ...inFile(
    "ogc/paging",
    [/of a table with a stamp/, EVENTS],
    [/the number of any table is kept/, SNAPSHOT],
    [/without a budget the number is exact/, SNAPSHOT],
  ),
  ...inFile("ogc/filter", [
    /accepted for one caller or at one time/,
    "it alters a table by several statements in one query, which Citus refuses",
  ]),
  ...inFile("ogc/filterRelated", [/the next tile shows changes/, EVENTS]),
  ...inFile("ogc/badInput", [/intervals are taken/, HISTORY]),
  ...inFile(
    "ogc/values",
    [/a property for every column of every type/, INTERVALS],
    [/has an interval as a duration/, INTERVALS],
    [/an extent of the globe/, CORRELATED],
  ),
  ...inFile(
    "ogc/formats",
    [/csv has a header/, INTERVALS],
    [/fgb is read by/, INTERVALS],
    [/kml is read by/, INTERVALS],
    [/parquet and arrow have/, INTERVALS],
  ),
];
