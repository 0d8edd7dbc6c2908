/** What the tests do at the console as people would, and look up in the database afterwards. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Where people do something; *Frame* is what stands around the others: search, databases, schemas, sign-in. */
export const AREAS = [
  "Home",
  "Data",
  "Import",
  "API",
  "History",
  "Workflow",
  "Schema",
  "SQL",
  "Access",
  "Audit",
  "Configuration",
  "Methods",
  "GraphQL",
  "REST",
  "Events",
  "Maps",
  "Dashboards",
  "Account",
  "Frame",
] as const;
export type Area = (typeof AREAS)[number];

export interface Scenario {
  readonly area: Area;
  readonly title: string;
  /** Of this folder. */
  readonly file: string;
}

const FILES = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".test.ts"))
  .toSorted();

/** All of this folder, in the order of the areas. */
export function listScenarios(): readonly Scenario[] {
  const found = FILES.flatMap((file) => scenariosOf(file, readFileSync(join(import.meta.dirname, file), "utf8")));
  return AREAS.flatMap((area) => found.filter((scenario) => scenario.area === area));
}

/** Those that `test` declares, which stands for one area, and those of others: `scenarios("Import")("imports …"`. */
function scenariosOf(file: string, text: string): readonly Scenario[] {
  const usual = /^ +const test = at\.scenarios\("([^"]+)"\);$/m.exec(text)?.[1];
  const calls = text.matchAll(/^ +(?:test|at\.scenarios\("(?<area>[^"]+)"\))\(\s*"(?<title>[^"]+)"/gm);
  return [...calls].map(({ groups = {} }) => ({
    area: (groups["area"] ?? usual) as Area,
    title: groups["title"]!,
    file,
  }));
}
