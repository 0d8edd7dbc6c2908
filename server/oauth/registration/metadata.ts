/** Client metadata (RFC 7591 §2, OpenID Connect Dynamic Client Registration 1.0 §2) as members of `portolan.clients`. */
import { z } from "zod";
import type { GrantName } from "../../kernel/identity/grants.ts";
import { SIGNING_ALGORITHMS } from "../../kernel/identity/tokens.ts";
import { PROOF_ALGORITHMS } from "../../kernel/identity/proofAlgorithms.ts";
import { namesOf } from "../grants/all.ts";
import { oauthError } from "../errors.ts";

const text = z.string().min(1).max(2000);
const web = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[^\s<>"\\#]+$/, "must be an http:// or https:// address");
const secure = z
  .string()
  .max(2000)
  .regex(/^https:\/\/[^\s<>"\\#]+$/, "must be an https:// address");
/** Addresses that the service itself requests. Plain http is only for the same machine. */
const asked = z
  .string()
  .max(2000)
  .regex(
    /^(https:\/\/|http:\/\/(localhost|127\.0\.0\.1|\[::1\])(?=[:/]))[^\s<>"\\#]+$/,
    "must be an https:// address, or http:// of localhost, 127.0.0.1 or [::1]",
  );
const words = z.array(text).max(100);

/** RFC 7517 §5, without anything secret. */
export const publicKeys = z.looseObject({
  keys: z
    .array(
      z
        .looseObject({ kty: z.enum(["EC", "RSA", "OKP"]) })
        .refine((key) => ["d", "p", "q", "k"].every((member) => !Object.hasOwn(key, member)), "must be public keys"),
    )
    .min(1)
    .max(20),
});

/** Members that have an effect here, and those that are stored and shown. Others are ignored, as the standard says. */
export const CLIENT_METADATA = z.object({
  redirect_uris: words.optional(),
  token_endpoint_auth_method: z
    .enum(["none", "client_secret_basic", "client_secret_post", "private_key_jwt"])
    .optional(),
  token_endpoint_auth_signing_alg: z.enum(PROOF_ALGORITHMS).optional(),
  jwks: publicKeys.optional(),
  jwks_uri: asked.optional(),
  dpop_bound_access_tokens: z.boolean().optional(),
  require_pushed_authorization_requests: z.boolean().optional(),
  grant_types: words.optional(),
  response_types: words.optional(),
  client_name: z.string().min(1).max(200).optional(),
  client_uri: web.optional(),
  logo_uri: web.optional(),
  tos_uri: web.optional(),
  policy_uri: web.optional(),
  scope: text.optional(),
  contacts: words.optional(),
  software_id: text.optional(),
  software_version: text.optional(),
  application_type: z.enum(["web", "native"]).optional(),
  initiate_login_uri: secure.optional(),
  default_max_age: z.int().min(0).max(999_999_999).optional(),
  require_auth_time: z.boolean().optional(),
  default_acr_values: words.optional(),
  id_token_signed_response_alg: z.enum(SIGNING_ALGORITHMS).optional(),
  userinfo_signed_response_alg: z.enum(SIGNING_ALGORITHMS).optional(),
  subject_type: z.enum(["public", "pairwise"]).optional(),
  sector_identifier_uri: secure.optional(),
  post_logout_redirect_uris: words.optional(),
  backchannel_logout_uri: asked.optional(),
  backchannel_logout_session_required: z.boolean().optional(),
});

export type ClientMetadata = z.infer<typeof CLIENT_METADATA>;

/** Grants that a client may register for itself. Only an administrator gives it an account, or people's passwords. */
const GRANTS = ["authorization_code", "refresh_token", "device_code"] as const satisfies GrantName[];

export interface Described {
  /** The members in the form that `portolan.update_client` takes. */
  readonly members: Readonly<Record<string, unknown>>;
  /** The metadata in the form that the client is shown. */
  readonly metadata: ClientMetadata;
}

/** Throws `invalid_client_metadata`, `invalid_redirect_uri`. `defaultMethod`: how a client that does not say authenticates. */
export function readMetadata(given: unknown, defaultMethod: "none" | "client_secret_basic"): Described {
  const parsed = CLIENT_METADATA.safeParse(withoutNulls(given));
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const name = issue?.path.join(".") ?? "";
    throw oauthError(
      name.startsWith("redirect_uris") ? "invalid_redirect_uri" : "invalid_client_metadata",
      name === "" ? "The metadata of a client must be a JSON object" : `'${name}' ${issue?.message}`,
    );
  }
  const metadata = parsed.data;
  const method = metadata.token_endpoint_auth_method ?? defaultMethod;
  const grants = grantsOf(metadata);
  const responses = metadata.response_types ?? (grants.includes("authorization_code") ? ["code"] : []);
  if (responses.some((type) => type !== "code"))
    throw oauthError("invalid_client_metadata", "The only response type is 'code'");
  if (metadata.jwks && metadata.jwks_uri !== undefined)
    throw oauthError("invalid_client_metadata", "A client has 'jwks' or 'jwks_uri', not both");
  const redirects = metadata.redirect_uris ?? [];
  if (grants.includes("authorization_code") && redirects.length === 0)
    throw oauthError("invalid_redirect_uri", "The grant 'authorization_code' needs 'redirect_uris'");
  return {
    members: {
      ...(metadata.client_name !== undefined && { name: metadata.client_name }),
      redirect_uri: redirects,
      homepage: metadata.client_uri ?? null,
      public: method === "none",
      grants,
      ...(method !== "none" && { token_endpoint_auth_method: method }),
      token_endpoint_auth_signing_alg: metadata.token_endpoint_auth_signing_alg ?? null,
      jwks: metadata.jwks ?? null,
      jwks_uri: metadata.jwks_uri ?? null,
      dpop_bound_access_tokens: metadata.dpop_bound_access_tokens ?? false,
      require_par: metadata.require_pushed_authorization_requests ?? false,
      id_token_signed_response_alg: metadata.id_token_signed_response_alg ?? "RS256",
      subject_type: metadata.subject_type ?? null,
      sector_identifier_uri: metadata.sector_identifier_uri ?? null,
      post_logout_redirect_uris: metadata.post_logout_redirect_uris ?? [],
      backchannel_logout_uri: metadata.backchannel_logout_uri ?? null,
    },
    metadata: {
      ...metadata,
      token_endpoint_auth_method: method,
      grant_types: grantTypesOf(grants),
      response_types: responses,
    },
  };
}

/** Members of `portolan.clients` that have another name in the metadata of a client. */
const METADATA_NAMES: Readonly<Record<string, string>> = {
  name: "client_name",
  redirect_uri: "redirect_uris",
  homepage: "client_uri",
  grants: "grant_types",
  require_par: "require_pushed_authorization_requests",
};

/** Members that a client must keep, in the form that the client is shown (RFC 7591 §3.2.1). */
export function imposedMetadata(imposed: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  const shown = Object.entries(imposed).map(([member, value]) => {
    const name = METADATA_NAMES[member] ?? member;
    return [name, member === "grants" ? grantTypesOf(value as GrantName[]) : value] as const;
  });
  return Object.fromEntries(shown.filter(([name]) => name in CLIENT_METADATA.shape));
}

/** The standard's names of grants. */
function grantTypesOf(grants: readonly GrantName[]): string[] {
  return grants.map((name) => namesOf(name).at(-1) ?? name);
}

/** RFC 7591 §2: a value that it cannot have is left out, and the answer shows the values that it has. */
function grantsOf({ grant_types: asked = ["authorization_code"] }: ClientMetadata): GrantName[] {
  const grants = GRANTS.filter((name) => namesOf(name).some((each) => asked.includes(each)));
  if (grants.length > 0) return grants;
  throw oauthError("invalid_client_metadata", `A client that registers itself may have ${GRANTS.join(", ")}`);
}

/** RFC 7591 §2: a null member counts as missing. */
function withoutNulls(given: unknown): unknown {
  if (typeof given !== "object" || given === null || Array.isArray(given)) return given;
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
