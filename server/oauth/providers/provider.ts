/** This service as a client of other OpenID providers (option `identityProviders`): authorization code flow with PKCE. */
import { LRUCache } from "lru-cache";
import type * as Openid from "openid-client";
import { isOnThisMachine, type IdentityProvider } from "../../kernel/config/identityProviders.ts";
import type { Kernel } from "../../kernel.ts";
import { PATHS } from "../endpoints/metadata.ts";

/** The values that the browser must bring back. */
export interface Asked {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The person who has signed in at the provider. */
export interface Upstream {
  /** The id of the provider. */
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  /** Null where the provider does not say that it has verified the address. */
  readonly email: string | null;
  readonly name: string | null;
  /** The name that the provider suggests for the person. */
  readonly userName: string;
  /** Groups there. */
  readonly groups: readonly string[];
}

/** The provider's answer is not valid, or the provider cannot be reached. */
export class ProviderFailure extends Error {
  override readonly name = "ProviderFailure";
}

/** Seconds for each request to a provider. */
const TIMEOUT_SECONDS = 10;
/** Their metadata are read again after this time. */
const AGE_MS = 3_600_000;
const MAX_TEXT = 254;

/** For each kernel, the metadata of the providers. */
const known = new WeakMap<Kernel, LRUCache<string, Promise<Openid.Configuration>>>();

/**
 * The address to which the provider sends people back. Each provider has its own, so that none is mistaken for another
 * (RFC 9700 §4.4).
 */
export function returnAddress({ baseUrl }: Kernel, { id }: IdentityProvider): string {
  return `${baseUrl}${PATHS.signin}/${id}`;
}

/** Where a browser goes to sign in. `more`: further parameters. Throws `ProviderFailure`. */
export function authorizationAddress(
  kernel: Kernel,
  provider: IdentityProvider,
  { asked, more }: { readonly asked: Asked; readonly more: Readonly<Record<string, string>> },
): Promise<string> {
  return failing(async (openid) => {
    const configuration = await discover(openid, kernel, provider);
    const url = openid.buildAuthorizationUrl(configuration, {
      redirect_uri: returnAddress(kernel, provider),
      scope: provider.scopes.join(" "),
      state: asked.state,
      nonce: asked.nonce,
      code_challenge: await openid.calculatePKCECodeChallenge(asked.verifier),
      code_challenge_method: "S256",
      ...more,
    });
    return url.href;
  });
}

/** The person who has signed in, from the query with which the browser came back. Throws `ProviderFailure`. */
export function readAnswer(
  kernel: Kernel,
  provider: IdentityProvider,
  { asked, query }: { readonly asked: Asked; readonly query: string },
): Promise<Upstream> {
  return failing(async (openid) => {
    const configuration = await discover(openid, kernel, provider);
    const tokens = await openid.authorizationCodeGrant(
      configuration,
      new URL(`${returnAddress(kernel, provider)}?${query}`),
      {
        expectedState: asked.state,
        expectedNonce: asked.nonce,
        pkceCodeVerifier: asked.verifier,
        idTokenExpected: true,
      },
    );
    const claims = tokens.claims();
    if (!claims) throw new ProviderFailure("there is no ID token");
    const more = configuration.serverMetadata().userinfo_endpoint
      ? await openid.fetchUserInfo(configuration, tokens.access_token, claims.sub)
      : ({} as Readonly<Record<string, unknown>>);
    // an address and its verification belong together: both are taken from the same source
    const told = claims["email"] === undefined || claims["email"] === more["email"] ? { ...more, ...claims } : claims;
    return personOf(provider, { ...more, ...claims, email_verified: told["email_verified"] });
  });
}

/** Asks a provider for its metadata, as `doctor` does. Throws `ProviderFailure`. */
export function askProvider(provider: IdentityProvider): Promise<void> {
  return failing(async (openid) => void (await connect(openid, provider)));
}

async function failing<Result>(run: (openid: typeof Openid) => Promise<Result>): Promise<Result> {
  const openid = await import("openid-client");
  try {
    return await run(openid);
  } catch (error) {
    if (error instanceof ProviderFailure) throw error;
    throw new ProviderFailure(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

function discover(openid: typeof Openid, kernel: Kernel, provider: IdentityProvider): Promise<Openid.Configuration> {
  const all = known.get(kernel) ?? new LRUCache<string, Promise<Openid.Configuration>>({ max: 100, ttl: AGE_MS });
  known.set(kernel, all);
  const { id } = provider;
  const kept = all.get(id);
  if (kept) return kept;
  const asking = connect(openid, provider);
  all.set(id, asking);
  asking.catch(() => all.delete(id)); // the caller gets the error; a failure is not kept
  return asking;
}

function connect(
  openid: typeof Openid,
  { issuer, clientId, clientSecret }: IdentityProvider,
): Promise<Openid.Configuration> {
  return openid.discovery(new URL(issuer), clientId, undefined, clientAuthentication(openid, clientSecret), {
    timeout: TIMEOUT_SECONDS,
    execute: [openid.enableNonRepudiationChecks, ...(isOnThisMachine(issuer) ? [openid.allowInsecureRequests] : [])],
  });
}

/** Sends the secret as the provider accepts it: by `client_secret_post` only where it does not accept the header. */
function clientAuthentication(openid: typeof Openid, secret: string | undefined): Openid.ClientAuth {
  if (secret === undefined) return openid.None();
  const [basic, post] = [openid.ClientSecretBasic(secret), openid.ClientSecretPost(secret)];
  return (server, client, body, headers) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ["client_secret_basic"];
    const authenticate = methods.includes("client_secret_basic") ? basic : post;
    return authenticate(server, client, body, headers);
  };
}

/** Claims come from the provider: each is accepted only in its own type, and cut to the length that is stored. */
function personOf({ id, issuer }: IdentityProvider, claims: Readonly<Record<string, unknown>>): Upstream {
  const text = (name: string): string | null => {
    const value = claims[name];
    return typeof value === "string" && value !== "" && value.length <= MAX_TEXT && !value.includes("\0")
      ? value
      : null;
  };
  const subject = text("sub");
  if (subject === null) throw new ProviderFailure("'sub' is missing or too long");
  const email = text("email");
  const isAddress = email !== null && /^[^\s@]+@[^\s@]+$/.test(email);
  const groups = [claims["groups"] ?? []].flat().filter((group) => typeof group === "string");
  return {
    provider: id,
    issuer,
    subject,
    email: isAddress && claims["email_verified"] === true ? email : null,
    name: text("name"),
    userName: text("preferred_username")?.split("@")[0] || email?.split("@")[0] || "",
    groups,
  };
}
