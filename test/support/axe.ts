/** The findings of axe on a page in its present state. */
import assert from "node:assert/strict";
import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";

/** Rule → the elements that break it; empty if none is broken. */
export async function violationsOf(page: Page): Promise<Readonly<Record<string, readonly string[]>>> {
  // pages have no frames of other origins, and passed rules need not leave the browser
  const axe = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ["violations"] });
  const { violations, passes } = await axe.analyze();
  assert.ok(passes.length > 10, "axe has looked");
  return Object.fromEntries(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))]));
}
