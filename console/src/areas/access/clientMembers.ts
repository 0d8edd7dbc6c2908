/** The members of a client as they are typed in its form, and as REST takes them. */
import type { Client } from "../../service/access.ts";
import type { ClientChange } from "../../service/http/openapi.ts";
import { t } from "../../words/words.ts";

/** Lists have one entry a line, keys are JSON, and a missing value is an empty text. */
export type Typed = ReturnType<typeof typedOf>;
export type SetTyped = <Name extends keyof Typed>(name: Name, value: Typed[Name]) => void;

export interface PartProps {
  readonly typed: Typed;
  readonly set: SetTyped;
}

/** The lifetimes, with those of a new client. */
const LIFETIMES = {
  access_token_lifetime_seconds: 3600,
  refresh_token_lifetime_seconds: 86_400,
  code_lifetime_seconds: 120,
  device_code_lifetime_seconds: 1800,
  device_poll_interval_seconds: 5,
} as const;

export type Lifetime = keyof typeof LIFETIMES;

const DEFAULT_GRANTS: Client["grants"] = ["authorization_code", "refresh_token", "device_code"];

export function typedOf(client: Client | undefined) {
  return {
    name: client?.name ?? "",
    redirect_uri: client?.redirect_uri.join("\n") ?? "",
    homepage: client?.homepage ?? "",
    description: client?.description ?? "",
    public: client?.public ?? true,
    confirm: client?.confirm ?? true,
    grants: client?.grants ?? DEFAULT_GRANTS,
    refresh_reuse: client?.refresh_reuse === "allow",
    account: client?.account ?? "",
    disabled: client?.disabled ?? false,
    token_endpoint_auth_method: (client?.token_endpoint_auth_method ?? "") as string,
    token_endpoint_auth_signing_alg: (client?.token_endpoint_auth_signing_alg ?? "") as string,
    jwks_uri: client?.jwks_uri ?? "",
    jwks: client?.jwks ? JSON.stringify(client.jwks, null, 2) : "",
    require_pkce: client?.require_pkce ?? true,
    require_par: client?.require_par ?? false,
    dpop_bound_access_tokens: client?.dpop_bound_access_tokens ?? false,
    id_token_signed_response_alg: client?.id_token_signed_response_alg ?? "RS256",
    subject_type: (client?.subject_type ?? "") as string,
    sector_identifier_uri: client?.sector_identifier_uri ?? "",
    post_logout_redirect_uris: client?.post_logout_redirect_uris.join("\n") ?? "",
    backchannel_logout_uri: client?.backchannel_logout_uri ?? "",
    ...(Object.fromEntries(
      Object.entries(LIFETIMES).map(([name, seconds]) => [name, String(client?.[name as Lifetime] ?? seconds)]),
    ) as Record<Lifetime, string>),
  };
}

/** Converts the typed members. Throws an error that names the member that is not JSON. */
export function membersOf(typed: Typed): ClientChange {
  return {
    name: typed.name,
    redirect_uri: linesOf(typed.redirect_uri),
    homepage: orNull(typed.homepage),
    description: orNull(typed.description),
    public: typed.public,
    confirm: typed.confirm,
    grants: typed.grants,
    refresh_reuse: typed.refresh_reuse ? "allow" : "refuse",
    account: orNull(typed.account),
    disabled: typed.disabled,
    token_endpoint_auth_method: orNull(typed.token_endpoint_auth_method) as Client["token_endpoint_auth_method"],
    token_endpoint_auth_signing_alg: orNull(
      typed.token_endpoint_auth_signing_alg,
    ) as Client["token_endpoint_auth_signing_alg"],
    jwks_uri: orNull(typed.jwks_uri),
    jwks: keysOf(typed.jwks),
    require_pkce: typed.require_pkce,
    require_par: typed.require_par,
    dpop_bound_access_tokens: typed.dpop_bound_access_tokens,
    id_token_signed_response_alg: typed.id_token_signed_response_alg,
    subject_type: orNull(typed.subject_type) as Client["subject_type"],
    sector_identifier_uri: orNull(typed.sector_identifier_uri),
    post_logout_redirect_uris: linesOf(typed.post_logout_redirect_uris),
    backchannel_logout_uri: orNull(typed.backchannel_logout_uri),
    ...Object.fromEntries(Object.keys(LIFETIMES).map((name) => [name, Number(typed[name as Lifetime])])),
  };
}

function orNull(text: string): string | null {
  return text.trim() === "" ? null : text.trim();
}

function linesOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

function keysOf(text: string): Client["jwks"] {
  if (text.trim() === "") return null;
  try {
    return JSON.parse(text) as Client["jwks"];
  } catch {
    throw new Error(t("The public keys are not JSON."));
  }
}

/**
 * The members that differ from the client's, so that other people's changes in the meantime are kept. Without a client:
 * those that differ from the defaults of the service.
 */
export function changedMembers(members: ClientChange, client: Client | undefined): ClientChange {
  const before = (client ?? membersOf(typedOf(undefined))) as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(members).filter(([name, value]) => JSON.stringify(value) !== JSON.stringify(before[name] ?? null)),
  );
}
