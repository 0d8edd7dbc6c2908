/** Accounts, whose code may run, and what they may send over REST. */
import { z } from "zod";
import { MFA_MODES } from "../identity/secondFactor.ts";
import { identityProviders } from "./identityProviders.ts";
import { MINUTE, MEGABYTE, count, milliseconds, flag, list, orJson, type Option } from "./kinds.ts";

/** Commas and spaces stand between the types of arguments too. */
const functions = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(/(?<=\))[\s,]+/).filter(Boolean))])
  .pipe(
    z.array(
      z
        .string()
        .regex(
          /^(?:(?:"(?:[^"]|"")+"|[^\s"(),.]+)(?:\.|(?=\())){2}\(.*\)$/,
          "must be functions with schema and types: app.area(integer, text)",
        ),
    ),
  );
const issuer = z.strictObject({
  issuer: z.string().min(1),
  jwksUri: z.url({ protocol: /^https?$/, error: "must be an http:// or https:// address" }),
  audience: z.union([
    z
      .string()
      .min(1)
      .transform((one) => [one]),
    z.array(z.string().min(1)).min(1),
  ]),
  account: z.string().min(1).default("sub"),
  database: z.string().min(1).optional(),
});

/** An issuer whose tokens are accepted beside our own. */
export type ExternalIssuer = z.infer<typeof issuer>;

export const ACCOUNTS = {
  issuers: {
    schema: orJson(z.array(issuer)),
    default: [],
    doc: "Outside issuers whose tokens are accepted: `{issuer, jwksUri, audience, account, database?}`, where `account` is the claim that names the account here (default `sub`); in the environment as JSON.",
  },
  subjectType: {
    schema: z.enum(["public", "pairwise"]),
    default: "public",
    doc: "The `sub` of ID tokens for clients that do not say (`subject_type`): `public`: the same for all clients; `pairwise`: another for each host of redirect URIs (OpenID Connect Core §8).",
  },
  sessionLifetimeSeconds: {
    schema: count.max(31_536_000),
    default: 12 * 3600,
    doc: "How long a browser stays signed in at `/auth` and `/device`.",
  },
  mfa: {
    schema: z.enum(MFA_MODES),
    default: "off",
    doc: "Second factors of sign-ins: `off`: neither offered nor asked for; `offered`: an account may add some on the page `/account`, and is asked for one then; `superUsers`: super users must have one; `all`: every account must. The member `two_factor` of an account counts beside it.",
  },
  signUp: {
    schema: z.enum(["off", "invite", "open"]),
    default: "off",
    doc: "Whether people get accounts by the page `/signup`, which needs mail (`smtpUrl`): `off`: no; `invite`: who has an account that an administrator has made is sent the link to its password; `open`: everybody who gives an address makes an account. The member `allow_signup` of a super user counts instead, for its database.",
  },
  signUpGroup: {
    schema: z.string().min(1).optional(),
    doc: "The group of those who sign up. Default: none.",
  },
  identityProviders: {
    schema: orJson(identityProviders),
    default: [],
    doc: "OpenID providers with which people may sign in here: `{id, title?, issuer, clientId, clientSecret?, scopes?, mapGroups?}`; in the environment as JSON. The provider sends people back to `BASE_URL/signin/<id>`. `mapGroups` is an object from their group to ours. The member `social_signup` of a super user says for its database whether they are offered and may bring new people; by default they may where `signUp` is `open`.",
  },
  authors: {
    schema: z.enum(["login", "refuse", "trust"]),
    default: "login",
    doc: "How a statement runs that may run code of a role that is not trusted (`trustedOwners`): `login`: on a connection that is logged in as the account; `refuse`: not at all (403); `trust`: as any other.",
  },
  trustedOwners: {
    schema: list,
    default: [],
    doc: "Roles of PostgreSQL whose functions, triggers, policies, views and types everybody may run, beside super users, the owner of the database and that of schema `portolan`. A person who can act as one of these roles can act as every account. In a fleet, the list of the gateway that started last applies.",
  },
  trustedFunctions: {
    schema: functions,
    default: [],
    doc: "Functions of trusted owners whose procedural bodies run no code of other roles, with schema and types of arguments: `app.area(integer, text)`. Portolan reads bodies in SQL itself. Where roles that are not trusted own code, other functions count as theirs unless they are listed here. In a fleet, the list of the gateway that started last applies.",
  },
  legacyClient: {
    schema: flag,
    default: false,
    doc: "Whether a new database has the client `gc2-cli`, for tools and an SDK of an existing installation: public, without consent, with the password grant, and its first refresh token stays good. An existing database is not changed.",
  },
  registration: {
    schema: z.enum(["off", "token", "open"]).optional(),
    doc: "Whether clients may register themselves (RFC 7591): `token`: with a token of `portolan client registration-token`; `open`: without one too. Every account is asked for consent to such a client. Default: `off`, and `open` for the demo.",
  },
  clientMetadataDocuments: {
    schema: flag,
    default: false,
    doc: "Whether the id of a client may be the https address of a document that describes it (OAuth Client ID Metadata Document), as agents have. The service fetches it from public addresses only: 5 kB, 5 s, no redirect.",
  },
  privateClientHosts: {
    schema: list,
    default: [],
    doc: "Hosts of your own network, by name, from which documents, keys and sectors of clients that describe themselves may come, and where these are told of a sign-out. All others must be public.",
  },
  dpopNonces: {
    schema: flag,
    default: false,
    doc: "Whether every proof of DPoP must have a nonce of the service (RFC 9449 §8), so that none can be made in advance: a request without one is answered with `use_dpop_nonce` and the header `DPoP-Nonce`.",
  },
  ownConnections: {
    schema: count.max(1000),
    default: 30,
    doc: "Most connections that a host opens under accounts' own logins, those of all workers and of MapServer included. The one that has been idle longest is closed first.",
  },
  auditRetentionDays: {
    schema: count.max(36_500),
    default: 365,
    doc: "How long `portolan.audit` keeps an entry.",
  },
  maxBodyBytes: {
    schema: count,
    default: 1 * MEGABYTE,
    doc: "Largest body of a GraphQL request.",
  },
  maxLargeBodyBytes: {
    schema: count,
    default: 10 * MEGABYTE,
    doc: "Largest body of a GraphQL request to `/api/graphql/schema/{schema}/large`, which only accounts may send: for shapes of many points.",
  },
  maxImportBytes: {
    schema: count,
    default: 4000 * MEGABYTE,
    doc: "Largest file, decompressed, that is imported into a table. Its values, as texts, may be three times as long: a few bytes of Parquet, or of a workbook, can stand for many rows.",
  },
  importTimeoutMs: {
    schema: milliseconds,
    default: 60 * MINUTE,
    doc: "Longest time of an import, from its first byte to its last row. One that takes longer ends, and keeps nothing.",
  },
} as const satisfies Record<string, Option>;
