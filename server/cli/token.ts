import type { Command } from "commander";
import { OperatorError } from "../ground/errors.ts";
import { tokenFor } from "./accountToken.ts";
import { listing, print, withDatabase } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";

/** A lost token cannot be revoked by its owner: use a refresh token for longer access. */
const DAY_SECONDS = 86_400;

interface TokenOptions {
  readonly lifetime: string;
  readonly agent?: boolean;
  readonly scope?: string;
}

export function addTokenCommands(program: Command): void {
  withDatabase(program.command("token <name>").description("print an access token for an account"))
    .option("--lifetime <seconds>", "how long it is valid, up to a day", "3600")
    .option("--agent", "only for the agents' door of the database; it can only read")
    .option("--scope <words>", "mcp:write lets an agent write too")
    .action(async (name: string, options: DatabaseOption & TokenOptions) => {
      const lifetimeSeconds = /^[1-9]\d*$/.test(options.lifetime) ? Number(options.lifetime) : Infinity;
      if (lifetimeSeconds > DAY_SECONDS)
        throw new OperatorError(
          `--lifetime: must be a number of seconds up to ${DAY_SECONDS}; a longer running program must refresh its tokens`,
        );
      const { token, served } = await tokenFor(options, name, {
        lifetimeSeconds,
        agent: options.agent ?? false,
        scope: options.scope,
      });
      if (served.guessed)
        process.stderr.write(`for the service at ${served.baseUrl}: set BASE_URL if it has another address\n`);
      print(token);
    });

  const keys = program.command("keys").description("the keys that sign tokens");
  withDatabase(keys.command("rotate").description("sign with a new key; tokens that older keys signed stay valid"))
    .option("--at-once", "end the older keys now, and every token that they signed")
    .action(async (options: DatabaseOption & { atOnce?: boolean }) => {
      const { SIGNING_ALGORITHMS, makeSigningKey } = await import("../kernel/identity/tokens.ts");
      for (const alg of SIGNING_ALGORITHMS) {
        const { kid, publicJwk, privateJwk } = await makeSigningKey(alg);
        await withOwner(options, ({ db }) =>
          db.func("portolan.rotate_signing_key", [kid, publicJwk, privateJwk, options.atOnce ?? false, alg]),
        );
        print(`${kid} (${alg}) signs ${options.atOnce ? "now" : "in 5 seconds"}`);
      }
    });
  listing(
    keys
      .command("list")
      .description("all keys, the newest first, with the time in which each signs; tokens of a retired key stay valid"),
    `select kid, alg, signs_from, retired_at from portolan.signing_keys
     order by signs_from desc, kid`,
  );
}
