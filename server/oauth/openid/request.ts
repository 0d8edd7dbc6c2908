/** The parameters that OpenID Connect Core 1.0 §3.1.2.1 adds to the request at `/auth`. */
import { ACR_MFA } from "../../ground/errors.ts";
import { errors, jwtVerify, type JWTPayload } from "jose";
import { oauthError, type OAuthErrorCode } from "../errors.ts";
import type { OAuthContext, Step } from "../context.ts";
import { ACR_PASSWORD } from "./acr.ts";
import { CLAIMS, type ClaimsRequest, type OpenidRequest } from "./claims.ts";

/** RFC 9101 and Core §6: there are no request objects; RFC 9396: no authorization details. */
const UNSUPPORTED: Readonly<Record<string, OAuthErrorCode>> = {
  request: "request_not_supported",
  request_uri: "request_uri_not_supported",
  registration: "registration_not_supported",
  authorization_details: "invalid_authorization_details",
};

/** Refuses the parameters for which the standards define a refusal. */
export const refuseUnsupported: Step = ({ parameters }) => {
  for (const [name, code] of Object.entries(UNSUPPORTED))
    if (parameters[name] !== undefined) throw oauthError(code, `The parameter '${name}' is not supported`);
};

/** RFC 9396 §5 and §6, at the endpoints for machines. Throws `invalid_authorization_details`. */
export const refuseDetails: Step = ({ parameters: { authorization_details: details } }) => {
  if (details !== undefined)
    throw oauthError("invalid_authorization_details", "The parameter 'authorization_details' is not supported");
};

const PROMPTS: ReadonlySet<string> = new Set(["none", "login", "consent", "select_account"]);

/** Reads the OpenID Connect parameters where the scope has `openid`. Throws `invalid_request`. */
export const readOpenid: Step = async (context) => {
  const { parameters, scopes } = context;
  if (!scopes.includes("openid")) return;
  const prompts = new Set((parameters["prompt"] ?? "").split(" ").filter(Boolean));
  if ([...prompts].some((prompt) => !PROMPTS.has(prompt)) || (prompts.has("none") && prompts.size > 1))
    throw oauthError("invalid_request", "'prompt' must be none, or some of login, consent and select_account");
  const { max_age: maxAge = context.client.defaultMaxAge?.toString(), id_token_hint: hint } = parameters;
  if (maxAge !== undefined && !/^\d{1,9}$/.test(maxAge))
    throw oauthError("invalid_request", "'max_age' must be a number of seconds");
  context.openid = {
    prompts,
    ...(maxAge !== undefined && { maxAge: Number(maxAge) }),
    ...(hint !== undefined && { hint: await readHint(context, hint) }),
    claims: readClaims(parameters["claims"]),
  };
};

/** The claims of one of our ID tokens, expired or not. Undefined for any other text. */
export async function readIdToken({ database, kernel }: OAuthContext, token: string): Promise<JWTPayload | undefined> {
  const keys = kernel.identifier.keysOf(database);
  try {
    const { payload } = await jwtVerify(
      token,
      async (header) => {
        const key = await keys.find(header);
        if (!key) throw new errors.JWSSignatureVerificationFailed("unknown key");
        return key;
      },
      { algorithms: ["ES256", "RS256"], typ: "JWT", issuer: kernel.baseUrl, requiredClaims: ["sub", "aud", "exp"] },
    );
    return payload;
  } catch (error) {
    if (error instanceof errors.JWTExpired) return error.payload;
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}

async function readHint(context: OAuthContext, token: string): Promise<NonNullable<OpenidRequest["hint"]>> {
  const payload = await readIdToken(context, token);
  if (!payload) throw oauthError("invalid_request", "'id_token_hint' is not an ID token of this service");
  if (payload.aud !== context.client.id)
    throw oauthError("invalid_request", "'id_token_hint' was given to another client");
  return { sub: payload.sub ?? "", clientId: context.client.id };
}

/** Core §5.5: which of the known claims are requested, and where; and the requested `sub`. */
function readClaims(text: string | undefined): ClaimsRequest {
  if (text === undefined) return {};
  const value = parseObject(text);
  const [idToken, userinfo] = [value["id_token"], value["userinfo"]].map((part) => part ?? {});
  if (!isObject(idToken) || !isObject(userinfo)) throw invalidClaims();
  const sub = isObject(idToken["sub"]) ? idToken["sub"]["value"] : undefined;
  const acr = essentialAcr(idToken["acr"]);
  return {
    ...(typeof sub === "string" && { sub }),
    ...(acr && { acr }),
    id_token: CLAIMS.filter((name) => Object.hasOwn(idToken, name)),
    userinfo: CLAIMS.filter((name) => Object.hasOwn(userinfo, name)),
  };
}

/**
 * Core §5.5.1.1: the classes of which a sign-in must have one. Undefined where the client could do without. Throws
 * `unmet_authentication_requirements` where no sign-in here can have one.
 */
function essentialAcr(asked: unknown): readonly string[] | undefined {
  if (!isObject(asked) || asked["essential"] !== true) return undefined;
  const { value, values = value === undefined ? undefined : [value] } = asked;
  if (values === undefined) return undefined; // every ID token has the claim
  if (!Array.isArray(values) || !values.every((one) => typeof one === "string")) throw invalidClaims();
  if (!values.some((one) => one === ACR_MFA || one === ACR_PASSWORD)) throw unmetAcr();
  return values;
}

/** OpenID Connect Core Error Code unmet_authentication_requirements 1.0. */
export function unmetAcr(): Error {
  return oauthError(
    "unmet_authentication_requirements",
    "The account cannot sign in with any of the classes that 'claims' requires",
  );
}

function parseObject(text: string): Record<string, unknown> {
  try {
    const value = JSON.parse(text) as unknown;
    if (isObject(value)) return value;
  } catch {
    // reported below
  }
  throw invalidClaims();
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function invalidClaims(): Error {
  return oauthError("invalid_request", "'claims' must be a JSON object with the objects id_token and userinfo");
}
