/** CQL2 filters: parsed, and then also checked against a table, as for each request with a filter. */
import { parseJson, readJson } from "../server/filter/cql2/json.ts";
import { parseCql2 } from "../server/filter/cql2/parse.ts";
import { parseText } from "../server/filter/cql2/text.ts";
import { cities } from "../test/filter/cities.ts";
import { cql2JsonOf } from "../test/filter/cql2Json.ts";
import type { Benchmark, Row } from "./support/benchmark.ts";
import { median } from "./support/load.ts";

/** Ten terms. */
const TEXT =
  "name = 'Luxembourg' AND pop_other > 1000 AND pop_other <= 2000000 AND price BETWEEN 1 AND 2.5 AND " +
  "name LIKE 'L%' AND open = TRUE AND date >= DATE('2021-01-01') AND rank IN (1, 2, 3) AND " +
  "share <> 0.5 AND alias IS NOT NULL";
const JSON_TEXT = cql2JsonOf(TEXT);
const ROUNDS = 15;
const FILTERS_PER_ROUND = 3_000;

const CASES: readonly (readonly [what: string, parse: () => unknown, target: string])[] = [
  ["CQL2 text of ten terms, parsed", () => parseText(TEXT), "≥ 50k filters/s"],
  ["CQL2 JSON of ten terms, parsed", () => readJson(parseJson(JSON_TEXT), ""), "≥ 50k filters/s"],
  ["CQL2 text of ten terms, parsed and checked against a table", () => parseCql2(TEXT, cities), ""],
];

/** Filters a second. */
function rateOf(parse: () => unknown): number {
  const rates = Array.from({ length: ROUNDS }, () => {
    const started = performance.now();
    for (let index = 0; index < FILTERS_PER_ROUND; index++) parse();
    return (FILTERS_PER_ROUND / (performance.now() - started)) * 1000;
  });
  return median(rates);
}

export const benchmark: Benchmark = {
  name: "CQL2",
  run(): Promise<readonly Row[]> {
    return Promise.resolve(
      CASES.map(([what, parse, target]) => ({
        what,
        ours: `${Math.round(rateOf(parse) / 1000)}k filters/s`,
        peer: "",
        ratio: "",
        target,
      })),
    );
  },
};
