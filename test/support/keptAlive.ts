/** Resources that keep this process alive. A test must release its own, so that the run ends by itself. */
import { setImmediate, setTimeout } from "node:timers/promises";

/** Ended resources may take a while to disappear. */
const PATIENCE_MS = 5000;
/** Resources that appear and disappear at any time. */
const FLEETING = /^(Immediate|FSReq|GetAddrInfoReq|.*ReqWrap)/;

/** The resources that exist now and did not when this was made. */
export class KeptAlive {
  readonly #before = resources();

  /** Throws if a resource is left, with the kinds that Node names. */
  async assertNothing(who: string): Promise<void> {
    let added = this.#added();
    for (const end = Date.now() + PATIENCE_MS; added.length > 0 && Date.now() < end; added = this.#added())
      await setTimeout(20).then(() => setImmediate()); // by then our own timer does not count
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
