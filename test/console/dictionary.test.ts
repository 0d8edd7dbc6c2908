import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { texts as german } from "../../console/src/words/german/german.ts";
import { consoleTexts } from "./consoleTexts.ts";

describe("the dictionary of the console", () => {
  const { keys, bare } = consoleTexts();

  it("has every text that a person sees", () => {
    assert.deepEqual(bare, []);
    assert.ok(keys.size > 1000, `${keys.size}`);
  });

  it("has a German entry for each text, and none for a text that is gone", () => {
    const entries = Object.keys(german);
    assert.deepEqual(
      [...keys].filter((key) => !(key in german)),
      [],
    );
    assert.deepEqual(
      entries.filter((entry) => !keys.has(entry)),
      [],
    );
  });

  it("keeps the names in braces of each text", () => {
    const namesOf = (text: string): readonly string[] => [...new Set(text.match(/\{\w+\}/g))].toSorted();
    for (const [english, text] of Object.entries(german)) assert.deepEqual(namesOf(text), namesOf(english), english);
  });

  it("has each entry once", async () => {
    const folder = join(import.meta.dirname, "../../console/src/words/german");
    const rooms = readdirSync(folder).filter((file) => !/^(german|names)\.ts$/.test(file));
    const entries = await Promise.all(
      rooms.map(async (file) =>
        Object.values((await import(join(folder, file))) as Record<string, object>).flatMap((room) =>
          Object.keys(room),
        ),
      ),
    );
    assert.equal(entries.flat().length, Object.keys(german).length);
  });
});
