import type { Command } from "commander";
import { OperatorError } from "../kernel/errors.ts";
import { tokenFor } from "./accountToken.ts";
import { print, withDatabase } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";

export function addTokenCommands(program: Command): void {
  withDatabase(program.command("token <name>").description("print an access token for an account"))
    .option("--lifetime <seconds>", "how long it is valid", "3600")
    .action(async (name: string, options: DatabaseOption & { lifetime: string }) => {
      if (!/^[1-9]\d{0,8}$/.test(options.lifetime)) throw new OperatorError("--lifetime: must be a number of seconds");
      const { token } = await tokenFor(options, name, Number(options.lifetime));
      print(token);
    });

  const keys = program.command("keys").description("the keys that sign tokens");
  withDatabase(keys.command("rotate").description("sign with a new key; what older keys signed stays valid"))
    .option("--at-once", "end the older keys now, and every token that they signed")
    .action(async (options: DatabaseOption & { atOnce?: boolean }) => {
      const { makeSigningKey } = await import("../kernel/identity/tokens.ts");
      const { kid, publicJwk, privateJwk } = await makeSigningKey();
      await withOwner(options, ({ db }) =>
        db.func("portolan.rotate_signing_key", [kid, publicJwk, privateJwk, options.atOnce ?? false]),
      );
      print(`${kid} signs ${options.atOnce ? "now" : "in 5 seconds"}`);
    });
}
