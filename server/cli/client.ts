import type { Command } from "commander";
import { OperatorError } from "../ground/errors.ts";
import { GRANTS } from "../kernel/identity/grants.ts";
import { calling, listing, print, withDatabase } from "./command.ts";
import { parseObject } from "./json.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";

interface ClientOptions extends DatabaseOption {
  readonly name?: string;
  readonly redirectUri?: string[];
  readonly public?: boolean;
  readonly confirm: boolean;
  readonly grants?: string;
  readonly refreshReuse?: boolean;
  readonly account?: string;
  readonly homepage?: string;
  readonly description?: string;
  readonly more?: string;
}

interface TokenOptions extends DatabaseOption {
  readonly uses: string;
  readonly hours: string;
  readonly members: string;
}

/** Throws `OperatorError` for a text that is not a whole number. */
function numberOf(option: string, text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new OperatorError(`${option}: ${text} is not a whole number`);
  return Number(text);
}

export function addClientCommands(program: Command): void {
  const client = program.command("client").description("OAuth clients");

  withDatabase(client.command("add <id>").description("register a client; prints its secret, once"))
    .option("--name <text>", "what people read on the consent page")
    .option("--redirect-uri <uri...>", "an address for codes: https, or http on the loopback interface")
    .option("--public", "a client that cannot keep a secret: an app in a browser or on a person's machine")
    .option("--no-confirm", "do not ask accounts for consent")
    .option("--grants <list>", `${GRANTS.join(", ")}; default: the first three`)
    .option("--account <name>", "the account that it acts as with the grant client_credentials")
    .option("--refresh-reuse", "keep old refresh tokens valid, for a tool that keeps its first one")
    .option("--homepage <url>")
    .option("--description <text>")
    .option("--more <json>", "further members, as REST calls them: a JSON object")
    .action(async (id: string, options: ClientOptions) => {
      const grants = grantsOf(options);
      const rows = await withOwner(options, ({ db }) =>
        db.func<{ create_client: string | null }[]>("portolan.create_client", [
          id,
          options.name ?? id,
          options.redirectUri ?? [],
          options.public ?? false,
          options.confirm,
          grants,
          options.homepage ?? null,
          options.description ?? null,
          options.refreshReuse ? "allow" : "refuse",
          options.account ?? null,
          options.more ?? null,
        ]),
      );
      const secret = rows[0]?.create_client;
      const why = options.public ? "is public" : "signs with its own key";
      print(secret ? `secret: ${secret}` : `${id} ${why} and has no secret`);
      if (options.redirectUri === undefined)
        print(`without --redirect-uri it may use ${grants.join(", ")}, but not authorization_code`);
    });

  listing(
    client.command("list").description("all clients"),
    "select id, name, public, confirm, disabled, origin, refresh_reuse, grants, redirect_uri, account from portolan.list_clients()",
  );
  calling(
    client.command("change <id> <json>").description("change members, with their names in REST: a JSON object"),
    "select portolan.update_client($1, $2::jsonb)",
    (id) => `${id} is changed`,
  );
  addDisabling(client);
  calling(
    client.command("remove <id>").description("remove a client; its tokens end"),
    "select portolan.drop_client($1)",
    (id) => `${id} is removed`,
  );

  addRegistrationTokens(client);

  withDatabase(client.command("secret <id>").description("give a client a new secret; the old one ends")).action(
    async (id: string, options: DatabaseOption) => {
      const rows = await withOwner(options, ({ db }) =>
        db.func<{ set_client_secret: string }[]>("portolan.set_client_secret", [id]),
      );
      print(`secret: ${rows[0]?.set_client_secret}`);
    },
  );
}

function addRegistrationTokens(client: Command): void {
  withDatabase(
    client
      .command("registration-token")
      .description("make a token with which clients register themselves (option registration)"),
  )
    .option("--uses <number>", "how many clients it registers", "1")
    .option("--hours <number>", "how long it is valid", "24")
    .option("--members <json>", "members that each of them gets, as REST calls them: a JSON object", "{}")
    .action(async ({ uses, hours, members, ...options }: TokenOptions) => {
      const rows = await withOwner(options, ({ db }) =>
        db.any<{ token: string }>("select portolan.registration_token($1, make_interval(secs => $2), $3) as token", [
          numberOf("--uses", uses),
          numberOf("--hours", hours) * 3600,
          parseObject("--members", members),
        ]),
      );
      print(`token: ${rows[0]?.token}`);
    });

  listing(
    client.command("registration-tokens").description("the tokens with which clients may still register"),
    "select id, made_by, made_at, expires_at, uses_left, members from portolan.list_registration_tokens()",
  );
  calling(
    client
      .command("remove-registration-token <id>")
      .description("end a registration token; clients that have registered with it stay"),
    "select portolan.drop_registration_token($1)",
    (id) => `${id} is removed`,
  );
}

function addDisabling(client: Command): void {
  withDatabase(client.command("disable <id>").description("disable a client; its tokens become invalid"))
    .option("--force", "also portolan-console: nobody can sign in to the console then")
    .action(async (id: string, options: DatabaseOption & { readonly force?: boolean }) => {
      await withOwner(options, ({ db }) =>
        db.any(
          `with forced as materialized (select set_config('portolan.force', $2, true) as is_set)
select portolan.update_client($1, '{"disabled": true}') from forced where is_set = $2`,
          [id, options.force ? "on" : "off"],
        ),
      );
      print(`${id} is disabled`);
    });
  calling(
    client.command("enable <id>").description("enable a disabled client"),
    `select portolan.update_client($1, '{"disabled": false}')`,
    (id) => `${id} is enabled`,
  );
}

/** Throws `OperatorError` for settings that the client could not use. */
function grantsOf({ grants, redirectUri }: ClientOptions): readonly string[] {
  if (grants === undefined) return [...(redirectUri ? ["authorization_code"] : []), "refresh_token", "device_code"];
  const given = grants.split(/[\s,]+/).filter(Boolean);
  if (given.includes("authorization_code") && !redirectUri)
    throw new OperatorError("--redirect-uri: the grant authorization_code needs one");
  return given;
}
