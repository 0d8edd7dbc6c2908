import type { Command } from "commander";
import type { Database } from "../kernel/database/database.ts";
import type { Mailer } from "../kernel/mail/mailer.ts";
import { OperatorError } from "../ground/errors.ts";
import { calling, print, printMembers, printRows, rowsOf, withDatabase } from "./command.ts";
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

interface ListOptions extends DatabaseOption {
  readonly limit?: string;
  readonly after?: string;
  readonly json?: boolean;
}

const LIST = `
select u.name, u.role, array_to_string(u.user_groups, ', ') as groups,
  (select nullif(count(*), 0) from portolan.users m where m.user_groups @> array[u.name]) as members, u.superuser, u.email,
  u.email_verified, u.two_factor, u.default_user, s.last_sign_in, s.locked_until
from portolan.users u join portolan.account_states s using (name)
where ($1::text is null or strpos(u.name, lower($1)) > 0 or strpos(lower(u.email), lower($1)) > 0)
  and ($2::text is null or u.name > lower($2))
order by u.name
limit $3::bigint`;

/** Raises PX404 for an unknown account. `groups`: all, over any number of levels. */
const SHOW = `
select u.name, u.role, u.superuser, portolan.groups_of(u.name) as groups,
  array(select m.name from portolan.users m where u.name = any (m.user_groups) order by m.name) as members,
  u.email, u.email_verified, u.default_user, u.password is not null as has_password, u.two_factor,
  array(select f.kind || ' "' || f.name || '"' from portolan.factors f where f.user_name = u.name order by f.made_at, f.id)
    as factors,
  (select count(*) from portolan.recovery_codes r where r.user_name = u.name) as recovery_codes,
  array(select i.provider || ' ' || i.subject from portolan.identities i where i.user_name = u.name order by i.made_at, i.id)
    as identities,
  (select count(*) from portolan.visible_sessions v where v.account = u.name) as sessions,
  array(select c.id from portolan.clients c where c.account = u.name order by c.id) as acts_for_clients,
  u.properties, s.last_sign_in, s.locked_until
from portolan.existing_account($1) u join portolan.account_states s using (name)`;

export function addUserCommands(program: Command): void {
  const user = program.command("user").description("accounts");

  withDatabase(
    user.command("create <name>").alias("add").description("create an account; prints its password if none is given"),
  )
    .option("--password <text>", "password, or an argon2, bcrypt or scrypt hash; - reads it from standard input")
    .option("--email <address>")
    .option("--group <names>", "other accounts whose rights this one inherits, with commas between them")
    .option("--properties <json>", "JSON object, which policies may use")
    .option("--superuser", "every right on all exposed schemas: the first account of a database")
    .option("--role <name>", "use this PostgreSQL role, which must exist")
    .action(create);

  withDatabase(user.command("list [part]"))
    .description("accounts, or those whose name or e-mail contains a text")
    .option("--limit <number>", "how many; default all")
    .option("--after <name>", "only those whose names come after this one: the next page")
    .option("--json", "as JSON")
    .action(async (part: string | undefined, { limit, after, json, ...options }: ListOptions) => {
      if (limit !== undefined && !/^[1-9]\d{0,8}$/.test(limit))
        throw new OperatorError("--limit: must be a number from 1 to 999999999");
      const values = [part ?? null, after ?? null, limit ?? null];
      printRows(await withOwner(options, (database) => rowsOf(database, LIST, values)), json);
    });
  withDatabase(user.command("show <name>"))
    .description("an account: its role, groups, ways to sign in, second factors, sessions and last sign-in")
    .option("--json", "as JSON")
    .action(async (name: string, { json, ...options }: ListOptions) => {
      const [account = {}] = await withOwner(options, (database) => rowsOf(database, SHOW, [name]));
      printMembers(account, json);
    });
  calling(
    user
      .command("change <name> <json>")
      .description(
        "change email, user_group, properties, superuser, default_user, email_verified, two_factor, allow_signup or social_signup: a JSON object",
      ),
    "select portolan.update_user($1, $2::jsonb - 'password')",
    (name = "") => `${name.toLowerCase()} is changed`,
  );
  withDatabase(
    user
      .command("remove <name>")
      .description(
        "remove an account, and the role that was made for it; the operator becomes the owner of its saved things",
      ),
  ).action(remove);
  calling(
    user.command("unlock <name>").description("lift the lock of an account after failed sign-ins"),
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
    .description("send an account a mail with a link that verifies its e-mail address")
    .action(async (name: string, options: DatabaseOption) => {
      const account = name.toLowerCase();
      await withOwner(options, async (database, { baseUrl }) => {
        await database.db.func("portolan.existing_account", [account]);
        await verify({ database, baseUrl, account });
      });
      print(`${account} is sent a link`);
    });

  withDatabase(
    user
      .command("invite <name>")
      .description("send an account a link with which it sets its password, once; print it where no mail is sent"),
  )
    .option("--days <number>", "how long the link is valid", "3")
    .option("--print", "print the link instead of sending a mail")
    .action(invite);
}

async function remove(name: string, options: DatabaseOption): Promise<void> {
  const saved = await withOwner(options, async ({ db }) => {
    const owned = await db.any<Saved>("select * from portolan.saved_of($1)", [name]);
    await db.func("portolan.drop_user", [name]);
    return owned;
  });
  print(`${name.toLowerCase()} is removed`);
  for (const { noun, name: called, shared } of saved) {
    const readers = shared.includes("*") ? ["everybody"] : shared;
    print(
      `the operator now owns the ${noun} ${called}${readers.length === 0 ? "" : `, which is still shared with ${readers.join(", ")}`}`,
    );
  }
}

interface Saved {
  readonly noun: string;
  readonly name: string;
  readonly shared: readonly string[];
}

interface Verifying {
  readonly database: Database;
  readonly baseUrl: string;
  readonly account: string;
}

/** Sends an account the link that verifies its address. Throws `OperatorError` where no mail can be sent. */
async function verify({ database, baseUrl, account }: Verifying): Promise<void> {
  const { mailVerification } = await import("../kernel/mail/links.ts");
  const isSent = await withMailer(false, (mail) => {
    if (!mail) throw new OperatorError("no mail is sent: SMTP_URL is not set");
    const post = { mail, database, baseUrl, language: undefined };
    return mailVerification(post, account, { by: "operator", address: undefined });
  });
  if (!isSent)
    throw new OperatorError("the account has no e-mail address, or a link was sent to it in the last minute");
}

interface InviteOptions extends DatabaseOption {
  readonly days: string;
  readonly print?: boolean;
}

async function invite(name: string, { days, print: isPrinted = false, ...options }: InviteOptions): Promise<void> {
  if (!/^([1-9]|[12]\d|3[01])$/.test(days)) throw new OperatorError("--days: must be a number from 1 to 31");
  const lifetimeSeconds = Number(days) * 86_400;
  const { mailInvitation } = await import("../kernel/mail/links.ts");
  await withOwner(options, async (database, { baseUrl }) => {
    const account = await database.db.one<{ name: string; email: string | null; locale: string | null; token: string }>(
      `select u.name, u.email, u.properties ->> 'locale' as locale,
  portolan.invite_user(u.name, make_interval(secs => $2)) as token
from portolan.existing_account($1) u`,
      [name.toLowerCase(), lifetimeSeconds],
    );
    const made = await withMailer(isPrinted, (mail) =>
      mailInvitation({ mail, database, baseUrl, language: undefined }, { ...account, lifetimeSeconds }),
    );
    print("url" in made ? made.url : `${account.name} is sent a link to ${made.mailed_to}`);
  });
}

/** Runs work that may send a mail, and waits until it is sent. Throws `OperatorError` where that fails. */
async function withMailer<T>(isPrinted: boolean, work: (mail: Mailer | undefined) => T | Promise<T>): Promise<T> {
  const config = await readConfig();
  if (isPrinted || config.smtpUrl === undefined) return work(undefined);
  const { Mailer } = await import("../kernel/mail/mailer.ts");
  const { createLog } = await import("../ground/log.ts");
  const mail = new Mailer(config, createLog(config.logLevel));
  let result: T;
  try {
    result = await work(mail);
  } finally {
    await mail.close();
  }
  if ([...mail.counts.keys()].some((key) => key.endsWith(" failed")))
    throw new OperatorError("the mail could not be sent");
  return result;
}

async function create(name: string, options: AddOptions): Promise<void> {
  if (options.role !== undefined && (options.superuser || options.group !== undefined))
    throw new OperatorError("--role keeps the role as it is: leave out --superuser and --group");
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
