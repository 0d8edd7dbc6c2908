/** See as another account, at every door: a token of that account, with which a super user only reads. */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import { audit } from "../kernel/identity/audit.ts";
import { jktOf } from "../kernel/identity/resources.ts";
import { findAccount, signAccessToken, type Account } from "../kernel/identity/tokens.ts";
import { taking, type Caller, type Resource } from "../kernel/rest/resource.ts";
import { accountName } from "./users.ts";

/** The page asks again before this time. A token that is stolen from its memory expires soon. */
const LIFETIME_SECONDS = 300;

const asked = z.strictObject({ account: accountName }).meta({ title: "SeenAccount" });

const answer = z
  .object({
    access_token: z.string(),
    token_type: z
      .enum(["Bearer", "DPoP"])
      .meta({ description: "`DPoP`: bound to the key that the caller's token is bound to (RFC 9449)" }),
    expires_in: z.int().meta({ description: "Seconds" }),
  })
  .meta({ title: "SeeingToken" });

export const seeAsResources: readonly Resource[] = [
  {
    path: "/access/see",
    tag: "access",
    parameters: {},
    operations: {
      POST: taking(asked, {
        id: "see_as",
        summary: "A token with which a super user sees everything as another account",
        description:
          "It is valid for five minutes at every interface, under the rights of that account, and everything runs read-only. It ends with the caller's own token. Each is in the audit. For super users.",
        status: 200,
        shown: answer,
        run: async (caller, _parameters, { account }) => ({ status: 200, body: await see(caller, account) }),
      }),
    },
  },
  {
    path: "/access/see/{account}",
    tag: "access",
    parameters: { account: "Name of the account that the caller saw everything as" },
    operations: {
      DELETE: {
        id: "end_see_as",
        summary: "Report that a super user no longer sees as another account",
        description:
          "It is in the audit. A token that the caller keeps anyway expires five minutes after it was given. For super users.",
        status: 204,
        run: async (caller, { account = "" }) => {
          await noteEnd(caller, account);
          return { status: 204 };
        },
      },
    },
  },
];

async function noteEnd(caller: Caller, name: string): Promise<void> {
  await checkSuperUser(caller);
  const account = await existing(caller, name);
  await note(caller, "access.seen_as_ended", account, caller.identity.name);
}

async function note(caller: Caller, event: string, account: Account, by: string): Promise<void> {
  await audit(caller.database, {
    event,
    account: account.name,
    clientId: String(caller.identity.claims["client_id"]),
    address: caller.address,
    details: { by },
  });
}

async function see(caller: Caller, name: string): Promise<z.infer<typeof answer>> {
  const { claims } = caller.identity;
  await checkSuperUser(caller);
  const [account, own] = await Promise.all([existing(caller, name), existing(caller, caller.identity.name)]);
  await note(caller, "access.seen_as", account, own.name);
  const jkt = jktOf(claims["cnf"]);
  const token = await signAccessToken(caller.database, account, {
    issuer: caller.baseUrl,
    clientId: String(claims["client_id"]),
    lifetimeSeconds: LIFETIME_SECONDS,
    jkt,
    actor: { sub: own.name, ver: own.tokenVersion },
    ...(typeof claims["fam"] === "string" ? { family: claims["fam"] } : { jti: String(claims["jti"]) }),
  });
  return { access_token: token, token_type: jkt === undefined ? "Bearer" : "DPoP", expires_in: LIFETIME_SECONDS };
}

/** Throws `FORBIDDEN`. */
async function checkSuperUser(caller: Caller): Promise<void> {
  const { rows } = await caller.transact((transaction) =>
    transaction.query<{ allowed: boolean }>({ text: "select portolan.is_super_user() as allowed" }),
  );
  if (!rows[0]?.allowed) throw new GatewayError("FORBIDDEN", "Only a super user may see as another account");
}

async function existing({ database }: Caller, name: string): Promise<Account> {
  const account = await findAccount(database, name.toLowerCase());
  if (!account) throw new GatewayError("NOT_FOUND", `There is no account ${JSON.stringify(name)}`);
  return account;
}
