/// <reference lib="dom" />
/** The findings of axe on a page in its present state. */
import assert from "node:assert/strict";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";
import { sized } from "./size.ts";

type Rules = readonly { readonly id: string; readonly nodes: readonly { readonly html: string }[] }[];

interface Axe {
  run(options: object): Promise<{ readonly violations: Rules; readonly passes: Rules }>;
}

// the package of axe is one that this one brings along
const { source } = createRequire(createRequire(import.meta.url).resolve("@axe-core/playwright"))("axe-core") as {
  source: string;
};

/**
 * axe keeps the fields of its colours in weak maps, as its compiler for old browsers has it: a third of the time of contrast went
 * into them and the collection of their garbage. Here an object has its fields itself.
 */
const SCRIPT = `{
  class Field {
    #key = Symbol();
    has(owner) { return this.#key in owner; }
    get(owner) { return owner[this.#key]; }
    set(owner, value) { owner[this.#key] = value; }
    add(owner) { this.set(owner, true); }
  }
  ${source.replaceAll(/= new Weak(Map|Set)\(\)/g, "= new Field()")}
}`;

/**
 * Rule → the elements that break it; empty if none is broken. `contrast`: whether the contrast of each text is measured, which
 * takes three quarters of the time. Default: in the large form only, since all have the colours of one style sheet, and each area
 * is measured in both colour schemes.
 */
export async function violationsOf(
  page: Page,
  { contrast = sized(false, true) }: { readonly contrast?: boolean } = {},
): Promise<Readonly<Record<string, readonly string[]>>> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(SCRIPT);
  if (contrast) await coloursStand(page);
  const { violations, passed } = await page.evaluate(async (options) => {
    const { violations, passes } = await (window as unknown as { axe: Axe }).axe.run(options);
    const found = violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html.slice(0, 200))] as const);
    return { violations: found, passed: passes.length };
  }, optionsFor(contrast));
  assert.ok(passed > 10, "axe has looked");
  return Object.fromEntries(violations);
}

/**
 * Waits for the transitions of colours. Those to another colour scheme begin one or two frames after the request. A transition
 * may be cancelled when another one begins, and some animations never end.
 */
async function coloursStand(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
    const running = async (): Promise<readonly Animation[]> => {
      for (let frames = 0; frames < 3; frames++) await frame();
      return document
        .getAnimations()
        .filter(({ playState, effect }) => playState === "running" && effect?.getComputedTiming().endTime !== Infinity);
    };
    for (let some = await running(); some.length > 0; some = await running())
      await Promise.allSettled(some.map(({ finished }) => finished));
  });
}

/** Passed rules need not be described. */
function optionsFor(contrast: boolean): object {
  return { resultTypes: ["violations"], rules: { "color-contrast": { enabled: contrast } } };
}
