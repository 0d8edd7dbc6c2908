/** Secrets beside passwords: links with which accounts set them, secrets of clients, and the lock on guessing. */
import { z } from "zod";
import { clientId } from "./clients.ts";
import { pathOf, readNames } from "../kernel/rest/collection.ts";
import { taking, type Caller, type Resource } from "../kernel/rest/resource.ts";
import { accountName } from "./users.ts";
import { badInput } from "../ground/errors.ts";
import { linkTo, mailInvitation, mailVerification, type Invitation } from "../kernel/mail/links.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

const DAY_SECONDS = 86_400;
const INVITE = `
select u.name, u.email, u.properties ->> 'locale' as locale, portolan.invite_user(u.name, make_interval(secs => $2)) as token
from portolan.list_users($1::text[]) u`;

const linkOptions = z
  .strictObject({
    lifetime_seconds: z
      .int()
      .min(60)
      .max(31 * DAY_SECONDS)
      .default(3 * DAY_SECONDS)
      .meta({ description: "How long each link is valid, from a minute to 31 days" }),
  })
  .meta({ title: "LinkOptions" });

const link = z
  .object({
    url: z
      .url()
      .meta({ description: "Opens a page that sets the password, once; an older link of the account becomes invalid" }),
    expires_in: z.int().meta({ description: "Seconds" }),
  })
  .meta({ title: "PasswordLink" });

const invitation = z
  .object({
    mailed_to: z.string().optional().meta({ description: "The address to which the link was sent" }),
    url: z.url().optional().meta({ description: "The link, where no mail was sent" }),
    expires_in: z.int().meta({ description: "Seconds" }),
  })
  .meta({ title: "Invitation" });

const secret = z
  .object({ secret: z.string().meta({ description: "Shown only once; the old secret is invalid now" }) })
  .meta({ title: "NewSecret" });

export const secretResources: readonly Resource[] = [
  {
    path: "/users/{names}/link",
    tag: "users",
    parameters: { names: "Name of one account, or names of several, joined by commas" },
    operations: {
      POST: taking(linkOptions, {
        id: "create_password_link",
        summary: "Create links with which the named accounts set a first or a forgotten password: all or none",
        description: "For super users. No mail is sent: pass the link on.",
        status: 201,
        shown: link,
        async run(caller, { names: segment }, { lifetime_seconds: lifetimeSeconds }) {
          const names = readNames(segment, { name: accountName, noun: "account" });
          const tokens = await callForEach(
            caller,
            "select portolan.invite_user(name, make_interval(secs => $2)) as made from unnest($1::text[]) name",
            [names, lifetimeSeconds],
          );
          return {
            status: 201,
            location: pathOf("/users", names),
            items: names.map((name, n) => {
              const url = linkTo("password", caller, tokens[n] ?? "");
              return { path: pathOf("/users", [name]), members: { url, expires_in: lifetimeSeconds } };
            }),
          };
        },
      }),
    },
  },
  {
    path: "/users/{names}/invitation",
    tag: "users",
    parameters: { names: "Name of one account, or names of several, joined by commas" },
    operations: {
      POST: taking(linkOptions, {
        id: "invite_users",
        summary: "Send the named accounts links with which they set a password: all or none",
        description:
          "For super users. If an account has no e-mail address, or the service sends no mail, the answer has `url` for it, to be passed on.",
        status: 201,
        shown: invitation,
        async run(caller, { names: segment }, { lifetime_seconds: lifetimeSeconds }) {
          const names = readNames(segment, { name: accountName, noun: "account" });
          const { rows } = await caller.transact((transaction) =>
            transaction.query<Omit<Invitation, "lifetimeSeconds">>({
              text: INVITE,
              values: [names, lifetimeSeconds],
            }),
          );
          return {
            status: 201,
            location: pathOf("/users", names),
            items: rows.map((row) => ({
              path: pathOf("/users", [row.name]),
              members: {
                ...mailInvitation(caller, { ...row, lifetimeSeconds }),
                expires_in: lifetimeSeconds,
              },
            })),
          };
        },
      }),
    },
  },
  {
    path: "/users/{name}/verification",
    tag: "users",
    parameters: { name: "Name of an account" },
    operations: {
      POST: {
        id: "verify_email",
        summary: "Send the account a link with which it verifies its e-mail address",
        description:
          "For the account itself and super users. The address counts as verified when the link was opened and confirmed.",
        status: 204,
        async run(caller, { name = "" }) {
          const account = readNames(name, { name: accountName, noun: "account" })[0] ?? "";
          await rowsOf(caller, "portolan.list_users($1::text[])", [[account]]); // as who may see it
          const { mail, database, baseUrl, language, identity, address } = caller;
          if (!mail) badInput("This service sends no mail: SMTP_URL is not set");
          if (!(await mailVerification({ mail, database, baseUrl, language }, account, { by: identity.name, address })))
            badInput("The account has no e-mail address, or a link was sent to it in the last minute");
          return { status: 204 };
        },
      },
    },
  },
  {
    path: "/users/{names}/lockout",
    tag: "users",
    parameters: { names: "Name of one account, or names of several, joined by commas" },
    operations: {
      DELETE: {
        id: "delete_lockout",
        summary: "Lift the lock that failed sign-ins have put on the named accounts: all or none",
        description: "Also the lock on the addresses where they failed. For super users.",
        status: 204,
        async run(caller, { names: segment }) {
          const names = readNames(segment, { name: accountName, noun: "account" });
          await caller.transact((transaction) =>
            transaction.query({
              text: "select portolan.lift_lockout(name) from unnest($1::text[]) name",
              values: [names],
            }),
          );
          return { status: 204 };
        },
      },
    },
  },
  {
    path: "/clients/{names}/secret",
    tag: "clients",
    parameters: { names: "Id of one client, or ids of several, joined by commas" },
    operations: {
      POST: {
        id: "create_client_secret",
        summary: "Give the named clients new secrets: all or none",
        description: "For super users. The old secret becomes invalid at once; tokens stay valid.",
        status: 201,
        shown: secret,
        async run(caller, { names: segment }) {
          const ids = readNames(segment, { name: clientId, noun: "client" });
          const secrets = await callForEach(
            caller,
            "select portolan.set_client_secret(id) as made from unnest($1::text[]) id",
            [ids],
          );
          return {
            status: 201,
            location: pathOf("/clients", ids),
            items: ids.map((id, n) => ({ path: pathOf("/clients", [id]), members: { secret: secrets[n] } })),
          };
        },
      },
    },
  },
];

async function callForEach(caller: Caller, text: string, values: readonly unknown[]): Promise<string[]> {
  const { rows } = await caller.transact((transaction) =>
    transaction.query<{ made: string }>({ text, values: [...values] }),
  );
  return rows.map(({ made }) => made);
}
