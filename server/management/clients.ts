/** OAuth clients over REST, for super users, which the grants on the SQL functions enforce. */
import { randomUUID } from "node:crypto";
import { z } from "zod";
import { GRANTS } from "../kernel/identity/grants.ts";
import { ignored } from "../kernel/http/ignoredMembers.ts";
import { collectionResources } from "../kernel/rest/collection.ts";
import { taking, type Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

/** The form of the id of a client that an administrator creates. */
const newId = z.string().regex(/^[A-Za-z0-9._~:@-]{1,100}$/, "must be 1 to 100 of A-Z, a-z, 0-9 and ._~:@-");
/** The id of a client. For a client that a document describes, it is the document's address. */
export const clientId = z.union([newId, z.string().regex(/^https:\/\/[^\s,<>"\\#]{1,490}$/)]);
const name = z.string().min(1, "must not be empty").max(200).meta({ description: "Shown on the consent page" });
const redirectUri = z
  .array(z.string())
  .max(100)
  .meta({ description: "https, or http on 127.0.0.1, [::1] or localhost; compared character by character" });
const homepage = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[^\s<>"\\]+$/, "must be an http:// or https:// address");
const description = z.string().max(2000);
const isPublic = z.boolean().meta({ description: "The client cannot keep a secret, and has none" });
const confirm = z.boolean().meta({ description: "Whether the account is asked before the client gets a token" });
const grants = z.array(z.enum(GRANTS));
const refreshReuse = z.enum(["refuse", "allow"]).meta({
  description:
    "Whether an old refresh token stays valid, for a tool that keeps its first one. Otherwise the use of an old one ends the session, because it may have been stolen",
});
const account = z.string().meta({
  description: "The account that a confidential client with the grant client_credentials acts as",
});
const idTokenAlg = z.enum(["RS256", "ES256"]).meta({ description: "The algorithm of ID tokens" });
const subjectType = z.enum(["public", "pairwise"]).meta({
  description:
    "Whether the client gets the same `sub` for an account as other clients. Null: the option subjectType decides",
});
const sectorIdentifierUri = z
  .string()
  .max(2000)
  .regex(/^https:\/\/[^\s<>"\\]+$/, "must be an https:// address")
  .meta({ description: "Clients with the same host here get the same pairwise `sub` for an account" });
const postLogoutRedirectUris = z
  .array(z.string())
  .max(100)
  .meta({ description: "Where a browser may go after a sign-out that the client asks for" });
const backchannelLogoutUri = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[^\s<>"\\#]+$/, "must be an http:// or https:// address")
  .meta({ description: "Where the client is told that a session has ended" });
const disabled = z.boolean().meta({ description: "It gets no tokens, and its existing tokens are not valid" });
const requirePkce = z.boolean().meta({
  description: "False: a confidential client may bind its codes by the `nonce` of OpenID Connect, and do without PKCE",
});
const authMethod = z.enum(["client_secret_basic", "client_secret_post", "private_key_jwt"]).meta({
  description:
    "The only way in which a confidential client may authenticate. Null: with its secret, in the header or the body",
});
const authAlg = z.enum(["ES256", "PS256", "RS256"]).meta({
  description: "The only algorithm of the assertions of private_key_jwt. Null: any of them",
});
const jwks = z.looseObject({ keys: z.array(z.looseObject({ kty: z.string() })).max(20) }).meta({
  description: "Public keys of the client (RFC 7517), for private_key_jwt",
});
const jwksUri = z
  .string()
  .max(2000)
  .regex(/^https?:\/\/[^\s<>"\\#]+$/, "must be an http:// or https:// address")
  .meta({ description: "Where the public keys of the client are, in place of `jwks`" });
const requirePar = z.boolean().meta({ description: "Whether it must push its requests (RFC 9126)" });
const dpopBound = z.boolean().meta({ description: "Whether it gets only tokens that are bound to a key (RFC 9449)" });
const seconds = (most: number, description: string) => z.int().min(1).max(most).meta({ description });
/** The lifetime of a client's tokens and codes, in seconds. `portolan.clients` has the same limits. */
const lifetimes = {
  access_token_lifetime_seconds: seconds(31_536_000, "How long its access tokens are valid, in seconds"),
  refresh_token_lifetime_seconds: seconds(
    31_536_000,
    "How long its refresh token is valid after the last use, in seconds",
  ),
  code_lifetime_seconds: seconds(600, "How long its code is valid, in seconds; 60 at most for a FAPI 2.0 client"),
  device_code_lifetime_seconds: seconds(86_400, "How long a person has to enter the code of its device, in seconds"),
  device_poll_interval_seconds: seconds(300, "How long its device waits between two questions, in seconds"),
};
const origin = z.enum(["administrator", "registration", "document"]).meta({
  description:
    "The source of its description: an administrator, the client itself, or the document whose address is its id",
});

const changeable = {
  name: name.optional(),
  redirect_uri: redirectUri.optional(),
  homepage: homepage.nullish(),
  description: description.nullish(),
  public: isPublic.optional(),
  confirm: confirm.optional(),
  grants: grants.optional(),
  refresh_reuse: refreshReuse.optional(),
  account: account.nullish(),
  id_token_signed_response_alg: idTokenAlg.optional(),
  subject_type: subjectType.nullish(),
  sector_identifier_uri: sectorIdentifierUri.nullish(),
  post_logout_redirect_uris: postLogoutRedirectUris.optional(),
  backchannel_logout_uri: backchannelLogoutUri.nullish(),
  disabled: disabled.optional(),
  require_pkce: requirePkce.optional(),
  token_endpoint_auth_method: authMethod.nullish(),
  token_endpoint_auth_signing_alg: authAlg.nullish(),
  jwks: jwks.nullish(),
  jwks_uri: jwksUri.nullish(),
  require_par: requirePar.optional(),
  dpop_bound_access_tokens: dpopBound.optional(),
  ...z.object(lifetimes).partial().shape,
};
/** The members that `portolan.create_client` takes together. */
const MORE = [
  "id_token_signed_response_alg",
  "subject_type",
  "sector_identifier_uri",
  "post_logout_redirect_uris",
  "backchannel_logout_uri",
  "disabled",
  "require_pkce",
  "token_endpoint_auth_method",
  "token_endpoint_auth_signing_alg",
  "jwks",
  "jwks_uri",
  "require_par",
  "dpop_bound_access_tokens",
  "access_token_lifetime_seconds",
  "refresh_token_lifetime_seconds",
  "code_lifetime_seconds",
  "device_code_lifetime_seconds",
  "device_poll_interval_seconds",
] as const;
const IGNORED = ["two_factor", "allow_signup", "social_signup"] as const;

/** Absent members get the defaults of `portolan.create_client`. */
const CREATE = `
select portolan.create_client(
  c.id, c.name, c.redirect_uri, c.public, c.confirm, c.grants, c.homepage, c.description, c.refresh_reuse,
  c.account, c.more) as secret
from jsonb_to_recordset($1::jsonb) as c (
  id text, name text, redirect_uri text[], public boolean, confirm boolean, grants text[], homepage text,
  description text, refresh_reuse text, account text, more jsonb)`;

export const clientResources = collectionResources({
  path: "/clients",
  noun: "client",
  name: clientId,
  description: "For super users.",
  shown: z
    .object({
      id: clientId,
      name,
      redirect_uri: redirectUri,
      homepage: homepage.nullable(),
      description: description.nullable(),
      public: isPublic,
      confirm,
      grants,
      refresh_reuse: refreshReuse,
      account: account.nullable(),
      id_token_signed_response_alg: idTokenAlg,
      subject_type: subjectType.nullable(),
      sector_identifier_uri: sectorIdentifierUri.nullable(),
      post_logout_redirect_uris: postLogoutRedirectUris,
      backchannel_logout_uri: backchannelLogoutUri.nullable(),
      disabled,
      require_pkce: requirePkce,
      token_endpoint_auth_method: authMethod.nullable(),
      token_endpoint_auth_signing_alg: authAlg.nullable(),
      jwks: jwks.nullable(),
      jwks_uri: jwksUri.nullable(),
      require_par: requirePar,
      dpop_bound_access_tokens: dpopBound,
      ...lifetimes,
      origin,
    })
    .meta({ title: "Client" }),
  create: z
    .strictObject({
      id: newId.optional().meta({ description: "Left out: a random one" }),
      ...changeable,
      ...ignored(IGNORED),
    })
    .meta({ title: "NewClient" }),
  change: z.strictObject({ ...changeable, ...ignored(IGNORED) }).meta({ title: "ClientChange" }),
  ignored: IGNORED,
  oneForOne: true,
  created: z
    .object({ secret: z.string().optional().meta({ description: "Shown this once; none for a public client" }) })
    .meta({ title: "ClientSecret" }),

  list: (caller, ids) => rowsOf(caller, "portolan.list_clients($1::text[])", [ids]),

  async add(caller, given) {
    const clients = given.map((client) => ({ ...client, id: client.id ?? randomUUID(), more: moreOf(client) }));
    const { rows } = await caller.transact((transaction) =>
      transaction.query<{ secret: string | null }>({ text: CREATE, values: [JSON.stringify(clients)] }),
    );
    return clients.map((client, n) => {
      const secret = rows[n]?.secret ?? null;
      return { name: client.id, ...(secret !== null && { members: { secret } }) };
    });
  },

  async update(caller, ids, change) {
    await caller.transact((transaction) =>
      transaction.query({
        text: "select portolan.update_client(id, $2::jsonb) from unnest($1::text[]) id",
        values: [ids, JSON.stringify(change)],
      }),
    );
  },

  async remove(caller, ids) {
    await caller.transact((transaction) =>
      transaction.query({ text: "select portolan.drop_client(id) from unnest($1::text[]) id", values: [ids] }),
    );
  },
});

function moreOf(client: Readonly<Partial<Record<(typeof MORE)[number], unknown>>>): object | null {
  const given = MORE.filter((name) => client[name] !== undefined && client[name] !== null);
  return given.length === 0 ? null : Object.fromEntries(given.map((name) => [name, client[name]]));
}

const tokenOptions = z
  .strictObject({
    uses: z.int().min(1).max(10_000).default(1).meta({ description: "How many clients it can register" }),
    lifetime_seconds: z
      .int()
      .min(60)
      .max(31_536_000)
      .default(86_400)
      .meta({ description: "How long it is valid, from a minute to a year" }),
    members: z.strictObject(changeable).default({}).meta({ description: "Members that each of these clients gets" }),
  })
  .meta({ title: "RegistrationTokenOptions" });

const registrationToken = z
  .object({
    id: z.string(),
    made_by: z.string().meta({ description: "The account that created it, or the operator" }),
    made_at: z.string().meta({ format: "date-time" }),
    expires_at: z.string().meta({ format: "date-time" }),
    uses_left: z.int().meta({ description: "How many more clients it can register" }),
    members: z.record(z.string(), z.unknown()).meta({ description: "Members that each of these clients gets" }),
  })
  .meta({ title: "RegistrationTokenState" });

/** Initial access tokens (RFC 7591 §3). */
const registrationTokens: Resource = {
  path: "/registration-tokens",
  tag: "clients",
  parameters: {},
  operations: {
    GET: {
      id: "list_registration_tokens",
      summary: "The tokens with which clients may still register themselves, latest first",
      description: "For super users. The tokens themselves were shown only when they were created.",
      status: 200,
      shown: z.array(registrationToken),
      run: async (caller) => ({ status: 200, body: await rowsOf(caller, "portolan.list_registration_tokens()") }),
    },
    POST: taking(tokenOptions, {
      id: "create_registration_token",
      summary: "Make a token with which clients register themselves at /api/v4/oauth/register",
      description: "For super users. It is accepted where the option registration is `token` or `open`.",
      status: 201,
      makesOne: true,
      shown: z
        .object({
          token: z.string().meta({ description: "Shown this once" }),
          expires_in: z.int().meta({ description: "Seconds" }),
        })
        .meta({ title: "RegistrationToken" }),
      async run(caller, _parameters, { uses, lifetime_seconds: lifetimeSeconds, members }) {
        const { rows } = await caller.transact((transaction) =>
          transaction.query<{ token: string }>({
            text: "select portolan.registration_token($1, make_interval(secs => $2), $3) as token",
            values: [uses, lifetimeSeconds, JSON.stringify(members)],
          }),
        );
        return { status: 201, location: "/clients", body: { token: rows[0]?.token, expires_in: lifetimeSeconds } };
      },
    }),
  },
};

export const registrationTokenResources: readonly Resource[] = [
  registrationTokens,
  {
    path: "/registration-tokens/{id}",
    tag: "clients",
    parameters: { id: "Id of a registration token" },
    operations: {
      DELETE: {
        id: "delete_registration_token",
        summary: "End a token with which clients register themselves",
        description: "For super users. Clients that were registered with it stay.",
        status: 204,
        async run(caller, { id }) {
          await caller.transact((transaction) =>
            transaction.query({ text: "select portolan.drop_registration_token($1)", values: [id] }),
          );
          return { status: 204 };
        },
      },
    },
  },
];
