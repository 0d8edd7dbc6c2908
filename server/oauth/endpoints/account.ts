/** `/account`: a person sees how the account signs in, and changes it. */
import { sqlstateOf } from "../../ground/errors.ts";
import { needsFactor, mayHaveFactor } from "../../kernel/identity/secondFactor.ts";
import { findAccount, type Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext, Step } from "../context.ts";
import { creationOptions, passkeyAddress, passkeyPlace } from "../factors/passkeys.ts";
import { makeRecoveryCodes } from "../factors/recoveryCodes.ts";
import { makeSecret } from "../factors/totp.ts";
import { beginWaiting, findWaiting } from "../factors/waiting.ts";
import { enrolPage, newPasskeyPage, recoveryPage } from "../pages/factor.ts";
import { ownAccountPage, type Factor, type Providers } from "../pages/ownAccount.ts";
import { signInPage } from "../pages/signIn.ts";
import { textsOf } from "../pages/texts.ts";
import { identitiesOf, offeredProviders } from "../providers/identities.ts";
import { startSession } from "../sessions.ts";
import { endOwnSession, ownSessions } from "../ownSessions.ts";
import { checkForm, chooseDatabase, findSession, readForm, readQuery } from "../steps/browser.ts";
import { noticeOfWait } from "../steps/notices.ts";
import { signInByProvider } from "../steps/provider.ts";
import {
  CODE,
  NEW_PASSKEY,
  addAuthenticator,
  addNamedPasskey,
  requireFactor,
  signInByFactor,
  withFactor,
} from "../steps/secondFactor.ts";
import { signInByForm, switchAccount } from "../steps/signIn.ts";

/** A change needs a sign-in of the last ten minutes, because another person may be at the browser by now. */
const FRESH_SECONDS = 600;

const askToSignIn: Step = async (context) => {
  if (!context.account) await signInPage(context, { destination: textsOf(context).account.title });
};

/** An account that has a second factor gives it before it sees this page, even where its sign-ins do not ask for one. */
type Change = (context: OAuthContext, account: Account) => Promise<void>;

const CHANGES: Readonly<Record<string, Change>> = {
  "add-totp": async (context, account) => {
    const secret = await makeSecret();
    const id = await beginWaiting(context, { account: account.name, secret });
    await enrolPage(context, account, { id, secret });
  },

  // the form of the page that the first one shows
  async enrol(context, account) {
    const { sign_in: id = "", code = "" } = context.form;
    const waiting = await findWaiting(context, id);
    if (!waiting?.secret || waiting.account !== account.name) {
      context.notice = { status: 400, text: textsOf(context).tooLong };
      return;
    }
    const { secret } = waiting;
    try {
      const codes = await addAuthenticator(context, account, { secret, code });
      if (codes === undefined) context.notice = { status: 401, field: "code", text: textsOf(context).enrol.wrong };
      else {
        await findWaiting(context, id, true);
        context.session = await startSession(context, account, withFactor(amrOf(context), CODE));
        if (codes.length > 0) recoveryPage(context, codes);
        return;
      }
    } catch (error) {
      noticeOfWait(context, error);
    }
    await enrolPage(context, account, { id, secret });
  },

  "add-passkey": async (context, account) => {
    const place = passkeyPlace(context);
    if (!place) return;
    const { challenge, options } = await creationOptions(context, account, place);
    const id = await beginWaiting(context, { account: account.name, challenge });
    newPasskeyPage(context, { id, options });
  },

  "new-passkey": async (context, account) => {
    const codes = await addNamedPasskey(context, account);
    if (codes === undefined) {
      context.notice = { status: 400, text: textsOf(context).passkey.wrong };
      return;
    }
    context.session = await startSession(context, account, withFactor(amrOf(context), NEW_PASSKEY));
    if (codes.length > 0) recoveryPage(context, codes);
  },

  "new-codes": async (context, account) => {
    const { codes, hashes } = makeRecoveryCodes();
    await context.database.db.func("portolan.set_recovery_codes", [account.name, hashes, context.address ?? null]);
    recoveryPage(context, codes);
  },

  async remove(context, account) {
    const { database, form, address, kernel } = context;
    const factors = await factorsOf(context, account);
    if (factors.length === 1 && needsFactor(kernel.config.mfa, { ...account, hasFactor: false })) {
      context.notice = { status: 409, text: textsOf(context).account.must };
      return;
    }
    await keepingAWayIn(context, () =>
      database.db.func("portolan.remove_factor", [account.name, form["factor"] ?? "", address ?? null]),
    );
  },
};

function amrOf({ session }: OAuthContext): readonly string[] {
  return session?.amr ?? [];
}

const endSession: Step = async (context) => {
  const { account, form } = context;
  if (account && form["action"] === "end-session") await endOwnSession(context, account, form["session"] ?? "");
};

const unlink: Change = async (context, account) => {
  const { database, form, address } = context;
  const id = form["identity"] ?? "";
  await keepingAWayIn(context, async () => {
    await database.db.tx(async (tx) => {
      await tx.func("portolan.keep_way_in", [account.name, [id]]);
      await tx.func("portolan.end_identity", [account.name, id, address ?? null]);
    });
  });
};

/** Tells the person on the next page that no way to sign in would be left. */
async function keepingAWayIn(context: OAuthContext, run: () => Promise<unknown>): Promise<void> {
  try {
    await run();
  } catch (error) {
    if (sqlstateOf(error) !== "PX409") throw error;
    context.notice = { status: 409, text: textsOf(context).provider.onlyWay };
  }
}

const change: Step = async (context) => {
  const { account, session, form, isFresh } = context;
  if (!account || !session || isFresh) return; // a form that has just signed in asks for no change
  const ofFactors = mayHaveFactor(context.kernel.config.mfa, account) ? CHANGES[form["action"] ?? ""] : undefined;
  const run = form["action"] === "unlink" ? unlink : ofFactors;
  if (!run) return;
  if (Date.now() / 1000 - session.authTime <= FRESH_SECONDS) return run(context, account);
  const { title, confirm } = textsOf(context).account;
  context.notice = { status: 401, text: confirm };
  await signInPage(context, { destination: title });
};

const show: Step = async (context) => {
  const { account, database, kernel } = context;
  const now = account && (await findAccount(database, account.name)); // it may have changed just now
  if (!now) return;
  const { left } = await database.db.one<{ left: number }>("select portolan.recovery_codes_of($1) as left", [now.name]);
  ownAccountPage(context, now, {
    isOffered: mayHaveFactor(kernel.config.mfa, now),
    withPasskeys: passkeyPlace(context) !== undefined,
    passkeyAddress: passkeyAddress(context),
    factors: await factorsOf(context, now),
    recoveryCodes: left,
    sessions: await ownSessions(context, now),
    providers: await providersOf(context, now),
  });
};

async function providersOf(context: OAuthContext, account: Account): Promise<Providers | undefined> {
  const offered = await offeredProviders(context);
  const identities = await identitiesOf(context, account);
  if (offered.length === 0 && identities.length === 0) return undefined;
  const titleOf = (id: string): string => offered.find((one) => one.id === id)?.title ?? id;
  return {
    linked: identities.map(({ provider, ...one }) => ({ ...one, title: titleOf(provider) })),
    others: offered
      .filter(({ id }) => !identities.some(({ provider }) => provider === id))
      .map(({ id }) => ({ id, title: titleOf(id) })),
  };
}

function factorsOf({ database }: OAuthContext, { name }: Account): Promise<readonly Factor[]> {
  return database.db.any<Factor>(
    `
select id, kind, name, made_at as "madeAt", used_at as "usedAt"
from portolan.factors where user_name = $1 order by made_at, id`,
    [name],
  );
}

export const account: readonly Step[] = [
  readQuery,
  readForm,
  chooseDatabase,
  checkForm,
  findSession,
  switchAccount,
  signInByProvider,
  signInByForm,
  signInByFactor,
  askToSignIn,
  requireFactor,
  endSession,
  change,
  show,
];
