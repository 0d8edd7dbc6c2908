import type { Command } from "commander";
import type { Database } from "../kernel/database/database.ts";
import { OperatorError } from "../ground/errors.ts";
import { calling, listing, print, withDatabase } from "./command.ts";
import { readConfig, withOwner, type DatabaseOption } from "./databases.ts";
import { parseObject } from "./json.ts";
import { readPassword } from "./password.ts";

interface AddOptions extends DatabaseOption {
  readonly password?: string;
  readonly email?: string;
  readonly group?: string;
  readonly properties?: string;
  readonly superuser?: boolean;
  readonly role?: string;
}

export function addUserCommands(program: Command): void {
  const user = program.command("user").description("accounts");

  withDatabase(
    user.command("create <name>").alias("add").description("make an account; prints its password if none is given"),
  )
    .option("--password <text>", "password, or an argon2, bcrypt or scrypt hash; - reads it from standard input")
    .option("--email <address>")
    .option("--group <names>", "other accounts whose rights this one inherits, with commas between them")
    .option("--properties <json>", "JSON object, which policies may use")
    .option("--superuser", "every right on all exposed schemas: the first account of a database")
    .option("--role <name>", "use this PostgreSQL role, which must exist")
    .action(create);

  listing(
    user.command("list").description("all accounts"),
    `
select u.name, u.role, array_to_string(u.user_groups, ', ') as groups, u.superuser, u.email, s.last_sign_in, s.locked_until
from portolan.users u join portolan.account_states s using (name)
order by u.name`,
  );
  calling(
    user
      .command("change <name> <json>")
      .description(
        "change email, user_group, properties, superuser, default_user, email_verified, two_factor, allow_signup or social_signup: a JSON object",
      ),
    "select portolan.update_user($1, $2::jsonb - 'password')",
    (name = "") => `${name.toLowerCase()} is changed`,
  );
  calling(
    user.command("remove <name>").description("remove an account, and the role that was made for it"),
    "select portolan.drop_user($1)",
    (name = "") => `${name.toLowerCase()} is removed`,
  );
  calling(
    user.command("unlock <name>").description("let an account sign in at once, after failures"),
    "select portolan.lift_lockout($1)",
    (name = "") => `${name.toLowerCase()} may sign in at once`,
  );

  withDatabase(user.command("password <name>").description("give an account a new password; its tokens end"))
    .option("--password <text>", "password or hash; - reads it from standard input; default: a new one, printed")
    .action(async (name: string, options: AddOptions) => {
      const { hash, generated } = await readPassword(options.password);
      await withOwner(options, ({ db }) => db.func("portolan.set_password", [name, hash]));
      if (generated !== undefined) print(`password: ${generated}`);
    });

  withDatabase(user.command("verify <name>"))
    .description("send an account a link by mail with which it verifies its e-mail address")
    .action(async (name: string, options: DatabaseOption) => {
      const account = name.toLowerCase();
      await withOwner(options, async (database, { baseUrl }) => {
        await database.db.func("portolan.existing_account", [account]);
        await verify({ database, baseUrl, account });
      });
      print(`${account} is sent a link`);
    });

  withDatabase(user.command("invite <name>").description("print a link with which an account sets its password, once"))
    .option("--days <number>", "how long the link is valid", "3")
    .action(async (name: string, options: DatabaseOption & { days: string }) => {
      if (!/^([1-9]|[12]\d|3[01])$/.test(options.days))
        throw new OperatorError("--days: must be a number from 1 to 31");
      await withOwner(options, async ({ db }, served) => {
        const rows = await db.func<{ invite_user: string }[]>("portolan.invite_user", [name, `${options.days} days`]);
        const query = new URLSearchParams({ database: served.name, token: rows[0]?.invite_user ?? "" });
        print(`${served.baseUrl}/password?${query}`);
      });
    });
}

interface Verifying {
  readonly database: Database;
  readonly baseUrl: string;
  readonly account: string;
}

/** Sends an account the link that verifies its address. Throws `OperatorError` where no mail goes out. */
async function verify({ database, baseUrl, account }: Verifying): Promise<void> {
  const { Mailer } = await import("../kernel/mail/mailer.ts");
  const { mailVerification } = await import("../kernel/mail/links.ts");
  const { createLog } = await import("../ground/log.ts");
  const config = await readConfig();
  if (config.smtpUrl === undefined) throw new OperatorError("no mail is sent: SMTP_URL is not set");
  const mail = new Mailer(config, createLog(config.logLevel));
  try {
    const post = { mail, database, baseUrl, language: undefined };
    if (!(await mailVerification(post, account, { by: "operator", address: undefined })))
      throw new OperatorError("the account has no e-mail address, or a link was sent to it in the last minute");
  } finally {
    await mail.close();
  }
  if (mail.counts.has("verification failed")) throw new OperatorError("the mail could not be sent");
}

async function create(name: string, options: AddOptions): Promise<void> {
  if (options.role !== undefined && (options.superuser || options.group !== undefined))
    throw new OperatorError("--role keeps the role as it is: --superuser and --group do not go with it");
  const properties = parseObject("--properties", options.properties);
  const { hash, generated } = await readPassword(options.password);
  const email = options.email ?? null;
  const role = await withOwner(options, ({ db }) =>
    options.role === undefined
      ? db.func("portolan.create_user", [
          name,
          hash,
          email,
          options.group ?? null,
          properties,
          options.superuser ?? false,
        ])
      : db.func("portolan.adopt_role", [name, options.role, hash, email, properties]),
  );
  print(`${name.toLowerCase()} acts as the role ${Object.values((role as object[])[0] ?? {})[0]}`);
  if (generated !== undefined) print(`password: ${generated}`);
}
