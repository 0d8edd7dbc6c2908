/** Mocha's spec reporter, with a closing line that counts. */
import Mocha from "mocha";

export default class Reporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    runner.once("end", () => {
      const { passes = 0, failures = 0, pending = 0 } = runner.stats ?? {};
      process.stdout.write(`\n${passes} passed, ${failures} failed, ${pending} skipped\n`);
    });
  }
}
