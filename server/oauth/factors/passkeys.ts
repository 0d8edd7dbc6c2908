/** Passkeys (WebAuthn): the options for the browser, and the check of its answer. The package is loaded at the first use. */
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { addressAsked, isAddress, localName } from "../../kernel/http/localName.ts";
import { audit } from "../../kernel/identity/audit.ts";
import { hashOf } from "../../kernel/identity/hash.ts";
import { mayHaveFactor } from "../../kernel/identity/secondFactor.ts";
import { findAccount, type Account } from "../../kernel/identity/tokens.ts";
import type { OAuthContext } from "../context.ts";
import { isOwnChallenge, makeChallenge } from "../sessions.ts";
import { count } from "../metrics.ts";
import { findWaiting } from "./waiting.ts";

const TIMEOUT_MS = 300_000;
/** Ed25519, ES256 and RS256 (RFC 9053, RFC 8812), of which every authenticator has one. */
const ALGORITHMS = [-8, -7, -257];

/** Where passkeys work: the name (`rpId`), and the origin of the pages. */
export interface PasskeyPlace {
  readonly name: string;
  readonly origin: string;
}

/**
 * The place of a service. Undefined where its address is an IP address, because passkeys need a name. On the loopback
 * address it exists if the browser asks for `localhost`.
 */
export function passkeyPlace({ kernel, request }: Pick<OAuthContext, "kernel" | "request">): PasskeyPlace | undefined {
  const { hostname, origin } = new URL(addressAsked(kernel.baseUrl, request));
  return isAddress(hostname) ? undefined : { name: hostname, origin };
}

/** The same page at the address where passkeys work; undefined where they work here, or nowhere. */
export function passkeyAddress({ kernel, request }: Pick<OAuthContext, "kernel" | "request">): string | undefined {
  const local = localName(kernel.baseUrl);
  if (local === undefined || passkeyPlace({ kernel, request })) return undefined;
  const { pathname, search } = new URL(request.url ?? "/", kernel.baseUrl); // a request to a proxy names the server too
  return local + pathname + search;
}

interface Passkey {
  readonly account: string;
  readonly credential: string;
  readonly publicKey: string;
  readonly counter: number;
  readonly transports: string[] | null;
}

const PASSKEYS = `
select user_name as account, credential, public_key as "publicKey", counter::float8 as counter, transports
from portolan.factors where kind = 'passkey'`;

/**
 * The options with which a browser makes a passkey for an account, as JSON, and their challenge, which waits for the answer.
 * `challenge`: one that waits already.
 */
export async function creationOptions(
  context: OAuthContext,
  account: Account,
  place: PasskeyPlace,
  challenge?: string,
): Promise<{ readonly challenge: string; readonly options: string }> {
  const { generateRegistrationOptions } = await import("@simplewebauthn/server");
  const { db } = context.database;
  const known = await db.any<Passkey>(`${PASSKEYS} and user_name = $1`, [account.name]);
  const { sub } = await db.one<{ sub: string }>("select openid_sub::text as sub from portolan.users where name = $1", [
    account.name,
  ]);
  const options = await generateRegistrationOptions({
    rpName: `Portolan ${place.name}`,
    rpID: place.name,
    userName: account.name,
    userDisplayName: account.name,
    userID: new TextEncoder().encode(sub),
    timeout: TIMEOUT_MS,
    supportedAlgorithmIDs: ALGORITHMS,
    excludeCredentials: known.map(({ credential, transports }) => ({ id: credential, transports: transports ?? [] })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    ...(challenge !== undefined && { challenge: new Uint8Array(Buffer.from(challenge, "base64url")) }),
  });
  return { challenge: options.challenge, options: JSON.stringify(options) };
}

/**
 * Adds the passkey that a browser has made. Returns whether it is valid. `hashes`: of the recovery codes that an
 * account without any gets with its first factor.
 */
export async function addPasskey(
  context: OAuthContext,
  account: Account,
  {
    id,
    answer,
    name,
    hashes,
  }: { readonly id: string; readonly answer: string; readonly name: string; readonly hashes: readonly string[] },
): Promise<"added" | "addedWithCodes" | "refused"> {
  const { database, address } = context;
  const place = passkeyPlace(context);
  const waiting = await findWaiting(context, id, true);
  if (!place || !waiting?.challenge || waiting.account !== account.name) return "refused";
  const { verifyRegistrationResponse } = await import("@simplewebauthn/server");
  try {
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      response: JSON.parse(answer) as RegistrationResponseJSON,
      expectedChallenge: waiting.challenge,
      expectedOrigin: place.origin,
      expectedRPID: place.name,
      requireUserVerification: true,
    });
    if (!verified) return "refused";
    const { credential } = registrationInfo;
    const { isNew } = await database.db.one<{ isNew: boolean | null }>(
      'select portolan.add_passkey($1, $2, $3, $4, $5, $6, $7, $8) as "isNew"',
      [
        account.name,
        name,
        credential.id,
        Buffer.from(credential.publicKey).toString("base64url"),
        credential.counter,
        credential.transports ?? [],
        hashes,
        address ?? null,
      ],
    );
    return isNew === null ? "refused" : isNew ? "addedWithCodes" : "added";
  } catch (error) {
    return refused(context, error);
  }
}

/** Whether a passkey could be used here: by this account, or by any. */
export async function mayOfferPasskeys({ kernel, database }: OAuthContext, account?: Account): Promise<boolean> {
  if (kernel.config.mfa === "off" && !account) return false;
  const { are } = await database.db.one<{ are: boolean }>(
    "select exists (select from portolan.factors where kind = 'passkey' and user_name = coalesce($1, user_name)) as are",
    [account?.name ?? null],
  );
  return are;
}

/** The options with which a browser uses a passkey: one of this account, or of anybody, as JSON. */
export async function requestOptions(context: OAuthContext, place: PasskeyPlace, account?: Account): Promise<string> {
  const { generateAuthenticationOptions } = await import("@simplewebauthn/server");
  const known = account
    ? await context.database.db.any<Passkey>(`${PASSKEYS} and user_name = $1`, [account.name])
    : undefined;
  return JSON.stringify(
    await generateAuthenticationOptions({
      rpID: place.name,
      challenge: makeChallenge(context),
      timeout: TIMEOUT_MS,
      userVerification: "required",
      ...(known && {
        allowCredentials: known.map(({ credential, transports }) => ({ id: credential, transports: transports ?? [] })),
      }),
    }),
  );
}

/** The account whose passkey a browser has used, and how (RFC 8176). Undefined where the answer is not valid. */
export async function accountOfPasskey(
  context: OAuthContext,
  answer: string,
): Promise<{ readonly account: Account; readonly amr: readonly string[] } | undefined> {
  const found = await verify(context, answer);
  count(context.kernel, "factors", { kind: "passkey", outcome: found ? "accepted" : "refused" });
  return found;
}

async function verify(
  context: OAuthContext,
  answer: string,
): Promise<{ readonly account: Account; readonly amr: readonly string[] } | undefined> {
  const { database, kernel } = context;
  const place = passkeyPlace(context);
  const response = parse(answer);
  if (!place || typeof response?.id !== "string") return undefined;
  const passkey = await database.db.oneOrNone<Passkey>(`${PASSKEYS} and credential = $1`, [response.id]);
  const account = passkey ? await findAccount(database, passkey.account) : undefined;
  if (!passkey || !account || !mayHaveFactor(kernel.config.mfa, account)) return undefined;
  const { verifyAuthenticationResponse } = await import("@simplewebauthn/server");
  let challenge = "";
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: (given) => {
        challenge = given;
        return isOwnChallenge(context, given);
      },
      expectedOrigin: place.origin,
      expectedRPID: place.name,
      credential: {
        id: passkey.credential,
        publicKey: new Uint8Array(Buffer.from(passkey.publicKey, "base64url")),
        counter: passkey.counter,
      },
      requireUserVerification: true,
    });
    if (!verified) return undefined;
    const { counts } = await database.db.one<{ counts: boolean }>(
      "select portolan.use_passkey($1, $2, $3, $4) as counts",
      [passkey.credential, passkey.counter, authenticationInfo.newCounter, hashOf(challenge)],
    );
    if (!counts) return undefined;
    const key = authenticationInfo.credentialDeviceType === "singleDevice" ? "hwk" : "swk";
    return { account, amr: [key, "user", "mfa"] };
  } catch (error) {
    await audit(database, {
      event: "sign_in.refused",
      account: account.name,
      address: context.address,
      // a copied passkey has its own counter, which is behind
      details: { via: "passkey", reason: /counter/.test(String(error)) ? "counter" : "answer" },
    });
    refused(context, error);
    return undefined;
  }
}

/** Turns the package's error for a wrong or malformed answer of the browser into "refused". */
function refused({ kernel }: OAuthContext, error: unknown): "refused" {
  kernel.log.debug({ err: error }, "a passkey was refused");
  return "refused";
}

function parse(answer: string): AuthenticationResponseJSON | undefined {
  try {
    return JSON.parse(answer) as AuthenticationResponseJSON;
  } catch {
    return undefined;
  }
}
