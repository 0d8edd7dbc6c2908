/** What keeps this process alive: a test that takes something gives it back, so that the run ends by itself. */
import { setImmediate, setTimeout } from "node:timers/promises";

/** What has been ended may take a while to be gone. */
const PATIENCE_MS = 5000;
/** Comes and goes at any time. */
const FLEETING = /^(Immediate|FSReq|GetAddrInfoReq|.*ReqWrap)/;

/** What is there after this was made, and was not before. */
export class KeptAlive {
  readonly #before = resources();

  /** Throws when something is still there, by the kinds that Node has for them. */
  async assertNothing(who: string): Promise<void> {
    let added = this.#added();
    for (const end = Date.now() + PATIENCE_MS; added.length > 0 && Date.now() < end; added = this.#added())
      await setTimeout(20).then(() => setImmediate()); // by then our own timer is none of them
    if (added.length > 0) throw new Error(`${who} keeps the process alive by ${added.join(", ")}`);
  }

  #added(): string[] {
    const before = [...this.#before];
    return resources().filter((name) => {
      const index = before.indexOf(name);
      if (index >= 0) before.splice(index, 1);
      return index < 0;
    });
  }
}

function resources(): string[] {
  return process.getActiveResourcesInfo().filter((name) => !FLEETING.test(name));
}
