import assert from "node:assert/strict";
import { AREAS as TITLES } from "../../console/src/ui/shell/areas.ts";
import { AREAS, listScenarios } from "./scenarios.ts";

describe("the scenarios of the console", () => {
  const scenarios = listScenarios();

  it("are at least forty, with a name of their own each", () => {
    assert.ok(scenarios.length >= 40, `${scenarios.length}`);
    assert.equal(new Set(scenarios.map(({ title }) => title)).size, scenarios.length);
  });

  it("leave no area out, of those that the console leads to either", () => {
    const covered = new Set<string>(scenarios.map(({ area }) => area));
    for (const area of [...AREAS, ...TITLES.map(({ title }) => title)]) assert.ok(covered.has(area), area);
  });
});
