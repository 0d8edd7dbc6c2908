/** What the REST interface answers and takes: its OpenAPI document as types, made by npm run docs. */

export type User = {
  /** Lower-cased when it is stored */
  readonly name: string;
  readonly email: string | null;
  readonly user_group: (string | readonly string[]) | null;
  /** Values for policies and rules; a claim of the account's tokens */
  readonly properties: Readonly<Record<string, unknown>>;
  /** Every right on all exposed schemas */
  readonly superuser: boolean;
  /** Guest tokens are for this account. Only one account of a database, and not a super user */
  readonly default_user: boolean;
  /** Whether the address is known to be the account's: by a link, or by the word of a super user */
  readonly email_verified: boolean;
  /** Whether the account must sign in with a second factor */
  readonly two_factor: boolean;
  /** For a super user: whether people may sign up in this database; null: the option signUp decides */
  readonly allow_signup: boolean | null;
  /** For a super user: whether other identity providers may bring new people to this database; null: only where sign-up is open. False offers no provider there */
  readonly social_signup: boolean | null;
  /** The last sign-in with its password; null: never */
  readonly last_sign_in: string | null;
  /** The time until which failed sign-ins lock it, at one address at least; null: it is not locked */
  readonly locked_until: string | null;
};

export type NewUser = {
  /** Lower-cased when it is stored */
  readonly name: string;
  /** Without it the account cannot sign in with a password */
  readonly password?: string | null;
  readonly email?: string | null;
  readonly user_group?: (string | readonly string[]) | null;
  /** Values for policies and rules; a claim of the account's tokens */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Every right on all exposed schemas */
  readonly superuser?: boolean;
  /** Guest tokens are for this account. Only one account of a database, and not a super user */
  readonly default_user?: boolean;
  /** Whether the address is known to be the account's: by a link, or by the word of a super user */
  readonly email_verified?: boolean;
  /** Whether the account must sign in with a second factor */
  readonly two_factor?: boolean;
  /** For a super user: whether people may sign up in this database; null: the option signUp decides */
  readonly allow_signup?: boolean | null;
  /** For a super user: whether other identity providers may bring new people to this database; null: only where sign-up is open. False offers no provider there */
  readonly social_signup?: boolean | null;
};

export type UserChange = {
  /** null keeps it, as if it were missing */
  readonly password?: string | null;
  /** The caller's own password; required when an account that is not a super user changes its password or e-mail */
  readonly current_password?: string;
  readonly email?: string | null;
  readonly user_group?: (string | readonly string[]) | null;
  /** Values for policies and rules; a claim of the account's tokens */
  readonly properties?: Readonly<Record<string, unknown>>;
  /** Every right on all exposed schemas */
  readonly superuser?: boolean;
  /** Guest tokens are for this account. Only one account of a database, and not a super user */
  readonly default_user?: boolean;
  /** Whether the address is known to be the account's: by a link, or by the word of a super user */
  readonly email_verified?: boolean;
  /** Whether the account must sign in with a second factor */
  readonly two_factor?: boolean;
  /** For a super user: whether people may sign up in this database; null: the option signUp decides */
  readonly allow_signup?: boolean | null;
  /** For a super user: whether other identity providers may bring new people to this database; null: only where sign-up is open. False offers no provider there */
  readonly social_signup?: boolean | null;
};

export type Client = {
  readonly id: string | string;
  /** Shown on the consent page */
  readonly name: string;
  /** https, or http on 127.0.0.1, [::1] or localhost; compared character by character */
  readonly redirect_uri: readonly string[];
  readonly homepage: string | null;
  readonly description: string | null;
  /** The client cannot keep a secret, and has none */
  readonly public: boolean;
  /** Whether the account is asked before the client gets a token */
  readonly confirm: boolean;
  readonly grants: readonly (
    | "authorization_code"
    | "refresh_token"
    | "device_code"
    | "password"
    | "client_credentials"
    | "token_exchange"
    | "jwt_bearer"
  )[];
  /** Whether an old refresh token stays valid, for a tool that keeps its first one. Otherwise the use of an old one ends the session, because it may have been stolen */
  readonly refresh_reuse: "refuse" | "allow";
  readonly account: string | null;
  /** The algorithm of ID tokens */
  readonly id_token_signed_response_alg: "RS256" | "ES256";
  readonly subject_type: ("public" | "pairwise") | null;
  readonly sector_identifier_uri: string | null;
  /** Where a browser may go after a sign-out that the client asks for */
  readonly post_logout_redirect_uris: readonly string[];
  readonly backchannel_logout_uri: string | null;
  /** It gets no tokens, and its existing tokens are not valid */
  readonly disabled: boolean;
  /** False: a confidential client may bind its codes by the `nonce` of OpenID Connect, and do without PKCE */
  readonly require_pkce: boolean;
  readonly token_endpoint_auth_method: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
  readonly token_endpoint_auth_signing_alg: ("ES256" | "PS256" | "RS256") | null;
  readonly jwks: {
    readonly keys: readonly {
      readonly kty: string;
    }[];
  } | null;
  readonly jwks_uri: string | null;
  /** Whether it must push its requests (RFC 9126) */
  readonly require_par: boolean;
  /** Whether it gets only tokens that are bound to a key (RFC 9449) */
  readonly dpop_bound_access_tokens: boolean;
  /** How long its access tokens are valid, in seconds */
  readonly access_token_lifetime_seconds: number;
  /** How long its refresh token is valid after the last use, in seconds */
  readonly refresh_token_lifetime_seconds: number;
  /** How long its code is valid, in seconds; 60 at most for a FAPI 2.0 client */
  readonly code_lifetime_seconds: number;
  /** How long a person has to enter the code of its device, in seconds */
  readonly device_code_lifetime_seconds: number;
  /** How long its device waits between two questions, in seconds */
  readonly device_poll_interval_seconds: number;
  /** The source of its description: an administrator, the client itself, or the document whose address is its id */
  readonly origin: "administrator" | "registration" | "document";
};

export type NewClient = {
  /** Left out: a random one */
  readonly id?: string;
  /** Shown on the consent page */
  readonly name?: string;
  /** https, or http on 127.0.0.1, [::1] or localhost; compared character by character */
  readonly redirect_uri?: readonly string[];
  readonly homepage?: string | null;
  readonly description?: string | null;
  /** The client cannot keep a secret, and has none */
  readonly public?: boolean;
  /** Whether the account is asked before the client gets a token */
  readonly confirm?: boolean;
  readonly grants?: readonly (
    | "authorization_code"
    | "refresh_token"
    | "device_code"
    | "password"
    | "client_credentials"
    | "token_exchange"
    | "jwt_bearer"
  )[];
  /** Whether an old refresh token stays valid, for a tool that keeps its first one. Otherwise the use of an old one ends the session, because it may have been stolen */
  readonly refresh_reuse?: "refuse" | "allow";
  readonly account?: string | null;
  /** The algorithm of ID tokens */
  readonly id_token_signed_response_alg?: "RS256" | "ES256";
  readonly subject_type?: ("public" | "pairwise") | null;
  readonly sector_identifier_uri?: string | null;
  /** Where a browser may go after a sign-out that the client asks for */
  readonly post_logout_redirect_uris?: readonly string[];
  readonly backchannel_logout_uri?: string | null;
  /** It gets no tokens, and its existing tokens are not valid */
  readonly disabled?: boolean;
  /** False: a confidential client may bind its codes by the `nonce` of OpenID Connect, and do without PKCE */
  readonly require_pkce?: boolean;
  readonly token_endpoint_auth_method?: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
  readonly token_endpoint_auth_signing_alg?: ("ES256" | "PS256" | "RS256") | null;
  readonly jwks?: {
    readonly keys: readonly {
      readonly kty: string;
    }[];
  } | null;
  readonly jwks_uri?: string | null;
  /** Whether it must push its requests (RFC 9126) */
  readonly require_par?: boolean;
  /** Whether it gets only tokens that are bound to a key (RFC 9449) */
  readonly dpop_bound_access_tokens?: boolean;
  /** How long its access tokens are valid, in seconds */
  readonly access_token_lifetime_seconds?: number;
  /** How long its refresh token is valid after the last use, in seconds */
  readonly refresh_token_lifetime_seconds?: number;
  /** How long its code is valid, in seconds; 60 at most for a FAPI 2.0 client */
  readonly code_lifetime_seconds?: number;
  /** How long a person has to enter the code of its device, in seconds */
  readonly device_code_lifetime_seconds?: number;
  /** How long its device waits between two questions, in seconds */
  readonly device_poll_interval_seconds?: number;
  /** Taken without effect; `notes` says so */
  readonly two_factor?: unknown;
  /** Taken without effect; `notes` says so */
  readonly allow_signup?: unknown;
  /** Taken without effect; `notes` says so */
  readonly social_signup?: unknown;
};

export type ClientSecret = {
  /** Shown this once; none for a public client */
  readonly secret?: string;
};

export type ClientChange = {
  /** Shown on the consent page */
  readonly name?: string;
  /** https, or http on 127.0.0.1, [::1] or localhost; compared character by character */
  readonly redirect_uri?: readonly string[];
  readonly homepage?: string | null;
  readonly description?: string | null;
  /** The client cannot keep a secret, and has none */
  readonly public?: boolean;
  /** Whether the account is asked before the client gets a token */
  readonly confirm?: boolean;
  readonly grants?: readonly (
    | "authorization_code"
    | "refresh_token"
    | "device_code"
    | "password"
    | "client_credentials"
    | "token_exchange"
    | "jwt_bearer"
  )[];
  /** Whether an old refresh token stays valid, for a tool that keeps its first one. Otherwise the use of an old one ends the session, because it may have been stolen */
  readonly refresh_reuse?: "refuse" | "allow";
  readonly account?: string | null;
  /** The algorithm of ID tokens */
  readonly id_token_signed_response_alg?: "RS256" | "ES256";
  readonly subject_type?: ("public" | "pairwise") | null;
  readonly sector_identifier_uri?: string | null;
  /** Where a browser may go after a sign-out that the client asks for */
  readonly post_logout_redirect_uris?: readonly string[];
  readonly backchannel_logout_uri?: string | null;
  /** It gets no tokens, and its existing tokens are not valid */
  readonly disabled?: boolean;
  /** False: a confidential client may bind its codes by the `nonce` of OpenID Connect, and do without PKCE */
  readonly require_pkce?: boolean;
  readonly token_endpoint_auth_method?: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
  readonly token_endpoint_auth_signing_alg?: ("ES256" | "PS256" | "RS256") | null;
  readonly jwks?: {
    readonly keys: readonly {
      readonly kty: string;
    }[];
  } | null;
  readonly jwks_uri?: string | null;
  /** Whether it must push its requests (RFC 9126) */
  readonly require_par?: boolean;
  /** Whether it gets only tokens that are bound to a key (RFC 9449) */
  readonly dpop_bound_access_tokens?: boolean;
  /** How long its access tokens are valid, in seconds */
  readonly access_token_lifetime_seconds?: number;
  /** How long its refresh token is valid after the last use, in seconds */
  readonly refresh_token_lifetime_seconds?: number;
  /** How long its code is valid, in seconds; 60 at most for a FAPI 2.0 client */
  readonly code_lifetime_seconds?: number;
  /** How long a person has to enter the code of its device, in seconds */
  readonly device_code_lifetime_seconds?: number;
  /** How long its device waits between two questions, in seconds */
  readonly device_poll_interval_seconds?: number;
  /** Taken without effect; `notes` says so */
  readonly two_factor?: unknown;
  /** Taken without effect; `notes` says so */
  readonly allow_signup?: unknown;
  /** Taken without effect; `notes` says so */
  readonly social_signup?: unknown;
};

export type RegistrationTokenState = {
  readonly id: string;
  /** The account that created it, or the operator */
  readonly made_by: string;
  readonly made_at: string;
  readonly expires_at: string;
  /** How many more clients it can register */
  readonly uses_left: number;
  /** Members that each of these clients gets */
  readonly members: Readonly<Record<string, unknown>>;
};

export type RegistrationTokenOptions = {
  /** How many clients it can register */
  readonly uses?: number;
  /** How long it is valid, from a minute to a year */
  readonly lifetime_seconds?: number;
  /** Members that each of these clients gets */
  readonly members?: {
    /** Shown on the consent page */
    readonly name?: string;
    /** https, or http on 127.0.0.1, [::1] or localhost; compared character by character */
    readonly redirect_uri?: readonly string[];
    readonly homepage?: string | null;
    readonly description?: string | null;
    /** The client cannot keep a secret, and has none */
    readonly public?: boolean;
    /** Whether the account is asked before the client gets a token */
    readonly confirm?: boolean;
    readonly grants?: readonly (
      | "authorization_code"
      | "refresh_token"
      | "device_code"
      | "password"
      | "client_credentials"
      | "token_exchange"
      | "jwt_bearer"
    )[];
    /** Whether an old refresh token stays valid, for a tool that keeps its first one. Otherwise the use of an old one ends the session, because it may have been stolen */
    readonly refresh_reuse?: "refuse" | "allow";
    readonly account?: string | null;
    /** The algorithm of ID tokens */
    readonly id_token_signed_response_alg?: "RS256" | "ES256";
    readonly subject_type?: ("public" | "pairwise") | null;
    readonly sector_identifier_uri?: string | null;
    /** Where a browser may go after a sign-out that the client asks for */
    readonly post_logout_redirect_uris?: readonly string[];
    readonly backchannel_logout_uri?: string | null;
    /** It gets no tokens, and its existing tokens are not valid */
    readonly disabled?: boolean;
    /** False: a confidential client may bind its codes by the `nonce` of OpenID Connect, and do without PKCE */
    readonly require_pkce?: boolean;
    readonly token_endpoint_auth_method?: ("client_secret_basic" | "client_secret_post" | "private_key_jwt") | null;
    readonly token_endpoint_auth_signing_alg?: ("ES256" | "PS256" | "RS256") | null;
    readonly jwks?: {
      readonly keys: readonly {
        readonly kty: string;
      }[];
    } | null;
    readonly jwks_uri?: string | null;
    /** Whether it must push its requests (RFC 9126) */
    readonly require_par?: boolean;
    /** Whether it gets only tokens that are bound to a key (RFC 9449) */
    readonly dpop_bound_access_tokens?: boolean;
    /** How long its access tokens are valid, in seconds */
    readonly access_token_lifetime_seconds?: number;
    /** How long its refresh token is valid after the last use, in seconds */
    readonly refresh_token_lifetime_seconds?: number;
    /** How long its code is valid, in seconds; 60 at most for a FAPI 2.0 client */
    readonly code_lifetime_seconds?: number;
    /** How long a person has to enter the code of its device, in seconds */
    readonly device_code_lifetime_seconds?: number;
    /** How long its device waits between two questions, in seconds */
    readonly device_poll_interval_seconds?: number;
  };
};

export type RegistrationToken = {
  /** Shown this once */
  readonly token: string;
  /** Seconds */
  readonly expires_in: number;
};

export type LinkOptions = {
  /** How long each link is valid, from a minute to 31 days */
  readonly lifetime_seconds?: number;
};

export type PasswordLink = {
  /** Opens a page that sets the password, once; an older link of the account becomes invalid */
  readonly url: string;
  /** Seconds */
  readonly expires_in: number;
};

export type Invitation = {
  /** The address to which the link was sent */
  readonly mailed_to?: string;
  /** The link, where no mail was sent */
  readonly url?: string;
  /** Seconds */
  readonly expires_in: number;
};

export type NewSecret = {
  /** Shown only once; the old secret is invalid now */
  readonly secret: string;
};

export type Session = {
  readonly id: string;
  /** application: the tokens of a client from one sign-in; browser: a sign-in on our pages */
  readonly kind: "application" | "browser";
  readonly account: string;
  readonly client_id: string | null;
  /** The name of the client */
  readonly client: string | null;
  /** What the browser says of itself */
  readonly agent: string | null;
  /** From where it signed in */
  readonly address: string | null;
  readonly since: string;
  readonly expires_at: string;
  /** The agents' door that its tokens are for: an agent; null: the service */
  readonly resource: string | null;
  /** Words between spaces; mcp:write: the agent may write */
  readonly scope: string | null;
  /** Whether it is the session of the token of this request */
  readonly current: boolean;
};

export type Consent = {
  readonly account: string;
  readonly client_id: string;
  /** The name of the client */
  readonly client: string;
  readonly scopes: readonly string[];
  /** The agents' doors; the empty text is the service */
  readonly resources: readonly string[];
  readonly given_at: string;
};

export type Factor = {
  readonly id: string;
  readonly account: string;
  /** totp: codes of an authenticator app */
  readonly kind: "totp" | "passkey";
  readonly name: string;
  readonly made_at: string;
  readonly used_at: string | null;
  /** How many recovery codes the account has left */
  readonly recovery_codes: number;
};

export type Identity = {
  readonly id: string;
  readonly account: string;
  /** Its id in the option identityProviders when the account was linked */
  readonly provider: string;
  readonly issuer: string;
  /** The `sub` of the person there */
  readonly subject: string;
  /** The address that the provider had verified */
  readonly email: string | null;
  readonly made_at: string;
  readonly used_at: string | null;
};

export type NewIdentity = {
  readonly account: string;
  /** The `iss` of its tokens */
  readonly issuer: string;
  /** The `sub` of the person or job there */
  readonly subject: string;
};

export type Agent = {
  readonly id: string;
  /** The account that it acts for */
  readonly account: string;
  readonly client_id: string | null;
  /** The name of the client */
  readonly client: string | null;
  /** What the client says of itself */
  readonly software: string | null;
  /** Words between spaces; mcp:write: the agent may write */
  readonly scope: string | null;
  /** From where it asked last */
  readonly address: string | null;
  readonly since: string;
  /** Its last request; null: none yet, or none for a month */
  readonly last_at: string | null;
  readonly expires_at: string | null;
  /** Of tools */
  readonly calls: number;
  /** Calls that were refused */
  readonly refused: number;
  /** Whether it had a stream of changes open in the last minute */
  readonly listens: boolean;
  /** The last call that was refused because a right was missing */
  readonly refusal: {
    readonly at: string;
    readonly tool: string;
    readonly table?: string;
    readonly code: string;
    readonly message: string;
  } | null;
};

export type Request = {
  readonly number: number;
  /** When it began */
  readonly at: string;
  /** X-Request-Id */
  readonly id: string | null;
  readonly account: string | null;
  readonly address: string | null;
  /** null: an error on a WebSocket */
  readonly method: string | null;
  readonly path: string | null;
  /** Of GraphQL, with its fields: query Name { field }; or the stored methods that were called */
  readonly operation: string | null;
  /** 499: the client did not wait for the answer */
  readonly status: number | null;
  readonly ms: number | null;
  /** The code of the error, also of one that GraphQL or JSON-RPC reports in an answer of 200 */
  readonly code: string | null;
  /** The relation that a refusal is about, if it is about one */
  readonly relation: string | null;
  /** The id that the caller got instead of the error */
  readonly error_id: string | null;
  /** The failure, or why a right was missing */
  readonly error: string | null;
  /** The agent that asked, as /agents lists it */
  readonly session: string | null;
  readonly door: "graphql" | "rest" | "sql" | "methods" | "ogc" | "ows" | "mcp" | "oauth" | "socket" | "pages";
  readonly host: string;
  readonly process: number;
};

export type Rule = {
  readonly id: number;
  /** Lower ones are evaluated first; the first that matches decides */
  readonly priority: number;
  /** An account, a group (which means its members), or a glob of such names */
  readonly username: string;
  /** In SQL that somebody wrote, stored methods too, the service is sql; rpc means the same */
  readonly service: "*" | "graphql" | "rpc" | "sql" | "events" | "ogc" | "ows" | "wfst" | "mcp";
  readonly request: "*" | "select" | "insert" | "update" | "delete";
  /** A schema, or a glob */
  readonly schema: string;
  /** A table, or a glob; it applies to partitions too */
  readonly table: string;
  /** *, an address or a network (CIDR) */
  readonly iprange: string;
  readonly access: "allow" | "limit" | "deny";
  /** With limit: a condition on the table's columns; {{key}} is the account's properties.key */
  readonly filter: string | null;
  /** With allow and limit: it denies a session that has not signed in with a second factor */
  readonly mfa: boolean;
};

export type NewRule = {
  readonly id?: number;
  /** Lower ones are evaluated first; the first that matches decides */
  readonly priority?: number;
  /** An account, a group (which means its members), or a glob of such names */
  readonly username?: string;
  /** In SQL that somebody wrote, stored methods too, the service is sql; rpc means the same */
  readonly service?: "*" | "graphql" | "rpc" | "sql" | "events" | "ogc" | "ows" | "wfst" | "mcp";
  readonly request?: "*" | "select" | "insert" | "update" | "delete";
  /** A schema, or a glob */
  readonly schema?: string;
  /** A table, or a glob; it applies to partitions too */
  readonly table?: string;
  /** *, an address or a network (CIDR) */
  readonly iprange?: string;
  /** With limit: a condition on the table's columns; {{key}} is the account's properties.key */
  readonly filter?: string | null;
  /** With allow and limit: it denies a session that has not signed in with a second factor */
  readonly mfa?: boolean;
  readonly access: "allow" | "limit" | "deny";
};

export type RuleId = {
  readonly id: number;
  /** The parts of it that match nothing yet, such as a glob */
  readonly notes?: readonly string[];
};

export type RuleChange = {
  /** Lower ones are evaluated first; the first that matches decides */
  readonly priority?: number;
  /** An account, a group (which means its members), or a glob of such names */
  readonly username?: string;
  /** In SQL that somebody wrote, stored methods too, the service is sql; rpc means the same */
  readonly service?: "*" | "graphql" | "rpc" | "sql" | "events" | "ogc" | "ows" | "wfst" | "mcp";
  readonly request?: "*" | "select" | "insert" | "update" | "delete";
  /** A schema, or a glob */
  readonly schema?: string;
  /** A table, or a glob; it applies to partitions too */
  readonly table?: string;
  /** *, an address or a network (CIDR) */
  readonly iprange?: string;
  readonly access?: "allow" | "limit" | "deny";
  /** With limit: a condition on the table's columns; {{key}} is the account's properties.key */
  readonly filter?: string | null;
  /** With allow and limit: it denies a session that has not signed in with a second factor */
  readonly mfa?: boolean;
};

export type AccessQuestion = {
  /** Lower-cased when it is stored */
  readonly account: string;
  /** schema.table, quoted as SQL wants it */
  readonly relation: string;
  /** The interface; rpc means sql. Default graphql */
  readonly service?: "graphql" | "rpc" | "sql" | "events" | "ogc" | "ows" | "wfst" | "mcp";
  /** The address. Default none: deny and limit rules of a network match, allow rules do not */
  readonly ip?: string | string;
  /** All rules to try in place of the present ones; they are rolled back */
  readonly rules?: readonly {
    readonly id?: number;
    /** Lower ones are evaluated first; the first that matches decides */
    readonly priority?: number;
    /** An account, a group (which means its members), or a glob of such names */
    readonly username?: string;
    /** In SQL that somebody wrote, stored methods too, the service is sql; rpc means the same */
    readonly service?: "*" | "graphql" | "rpc" | "sql" | "events" | "ogc" | "ows" | "wfst" | "mcp";
    readonly request?: "*" | "select" | "insert" | "update" | "delete";
    /** A schema, or a glob */
    readonly schema?: string;
    /** A table, or a glob; it applies to partitions too */
    readonly table?: string;
    /** *, an address or a network (CIDR) */
    readonly iprange?: string;
    /** With limit: a condition on the table's columns; {{key}} is the account's properties.key */
    readonly filter?: string | null;
    /** With allow and limit: it denies a session that has not signed in with a second factor */
    readonly mfa?: boolean;
    readonly access: "allow" | "limit" | "deny";
  }[];
};

export type AccessAnswer = {
  /** As what role, and of which groups it is a member */
  readonly account: string;
  readonly grants: readonly {
    readonly name: string;
    /** yes, no, some columns, or when */
    readonly applies: string;
    readonly meaning: string;
  }[];
  /** In the order of evaluation */
  readonly rules: readonly {
    readonly name: string;
    /** yes, no, some columns, or when */
    readonly applies: string;
    readonly meaning: string;
  }[];
  /** The team's own, and Portolan's */
  readonly policies: readonly {
    readonly name: string;
    /** yes, no, some columns, or when */
    readonly applies: string;
    readonly meaning: string;
  }[];
  /** Row security, workflow, history, problems */
  readonly others: readonly {
    readonly name: string;
    /** yes, no, some columns, or when */
    readonly applies: string;
    readonly meaning: string;
    readonly subject: string;
  }[];
  readonly decisions: readonly {
    readonly request: "select" | "insert" | "update" | "delete";
    readonly granted: boolean;
    /** The decision of the rules */
    readonly access: "allow" | "limit" | "deny";
    /** The rule that decides; null: no rule matches, which allows */
    readonly rule: number | null;
  }[];
  /** Those that it may select */
  readonly columns: readonly string[];
  /** The number of rows that it sees; null where counting takes too long */
  readonly count: number | null;
  /** The first 100 of them; null: no key that it may select, or it takes too long */
  readonly keys: readonly Readonly<Record<string, unknown>>[] | null;
};

export type SeenAccount = {
  /** Lower-cased when it is stored */
  readonly account: string;
};

export type SeeingToken = {
  readonly access_token: string;
  /** `DPoP`: bound to the key that the caller's token is bound to (RFC 9449) */
  readonly token_type: "Bearer" | "DPoP";
  /** Seconds */
  readonly expires_in: number;
};

export type Schema = {
  readonly name: string;
};

export type Table = {
  readonly schema: string;
  readonly name: string;
  readonly kind: "table" | "view" | "materialized view" | "foreign table";
  /** The whole comment, including its instructions for Portolan */
  readonly description: string | null;
  /** The rights of the account on it or some of its columns; row level security may still refuse a row. alter: the account, or a role that it is in, owns it */
  readonly rights: readonly ("select" | "insert" | "update" | "delete" | "alter")[];
  /** The columns of the primary key, in its order */
  readonly key: readonly string[];
  /** Those that the account has a right to */
  readonly columns: readonly {
    readonly name: string;
    /** As PostgreSQL writes it, such as numeric(10,2) */
    readonly type: string;
    readonly nullable: boolean;
    readonly has_default: boolean;
    /** As PostgreSQL writes it, such as now(); also of an identity and of a generated column */
    readonly default: string | null;
    /** Only PostgreSQL sets its value */
    readonly generated: boolean;
    readonly description: string | null;
    /** The labels of an enum, in its order */
    readonly values: readonly string[] | null;
    /** The rights of the account on it */
    readonly rights: readonly ("select" | "insert" | "update" | "delete")[];
    /** Its field in GraphQL */
    readonly graphql_field: string | null;
  }[];
  readonly foreign_keys: readonly {
    readonly columns: readonly string[];
    readonly schema: string;
    readonly table: string;
    /** Columns of the other table, one for each of columns */
    readonly references: readonly string[];
  }[];
  /** The time since which its history is kept; null: it is not kept */
  readonly versioned_since: string | null;
  /** The role of the account in its workflow; null: it has none */
  readonly workflow: ("reader" | "author" | "reviewer" | "publisher") | null;
  /** Its type in GraphQL, which operations carry: Cities of getCities */
  readonly graphql_type: string | null;
};

export type NewTable = {
  readonly name: string;
  readonly columns: readonly {
    readonly name: string;
    /** As numeric(10,2), text[] or geometry(Point,4326) */
    readonly type: string;
    /** Default true */
    readonly nullable?: boolean;
    readonly default?:
      | (
          | {
              readonly value: string | number | boolean | Readonly<Record<string, unknown>> | readonly unknown[];
            }
          | {
              readonly function: "now" | "current_date" | "gen_random_uuid" | "current_user";
            }
        )
      | null;
    /** PostgreSQL numbers it where no value is given */
    readonly identity?: boolean;
    readonly comment?: string | null;
    /** For a geometry or geography: false makes no spatial index (gist). Default true */
    readonly index?: boolean;
  }[];
  /** Columns of the primary key */
  readonly key?: readonly string[];
  /** In addition to the primary key */
  readonly constraints?: readonly (
    | {
        readonly kind: "primary_key";
        readonly name?: string;
        readonly columns: readonly string[];
      }
    | {
        readonly kind: "unique";
        readonly name?: string;
        readonly columns: readonly string[];
      }
    | {
        readonly kind: "foreign_key";
        readonly name?: string;
        readonly columns: readonly string[];
        readonly references: {
          readonly schema: string;
          readonly table: string;
          readonly columns: readonly string[];
        };
        readonly on_delete?: "no action" | "restrict" | "cascade" | "set null" | "set default";
        readonly on_update?: "no action" | "restrict" | "cascade" | "set null" | "set default";
      }
    | {
        readonly kind: "check";
        readonly name?: string;
        readonly columns: readonly string[];
        readonly operator: "=" | "<>" | "<" | "<=" | ">" | ">=" | "~" | "in";
        readonly value: string | number | boolean | readonly (string | number)[];
      }
  )[];
  readonly comment?: string | null;
};

export type SchemaChange = {
  /** The SQL that ran, or with dry=true would run */
  readonly sql: string;
};

export type TablePrivilege = {
  readonly table: string;
  readonly subuser: string;
  readonly privilege: "read" | "write" | "all";
};

export type TableChange = {
  readonly name: string;
};

export type NewColumn = {
  readonly name: string;
  /** As numeric(10,2), text[] or geometry(Point,4326) */
  readonly type: string;
  /** Default true */
  readonly nullable?: boolean;
  readonly default?:
    | (
        | {
            readonly value: string | number | boolean | Readonly<Record<string, unknown>> | readonly unknown[];
          }
        | {
            readonly function: "now" | "current_date" | "gen_random_uuid" | "current_user";
          }
      )
    | null;
  /** PostgreSQL numbers it where no value is given */
  readonly identity?: boolean;
  readonly comment?: string | null;
  /** For a geometry or geography: false makes no spatial index (gist). Default true */
  readonly index?: boolean;
};

export type ColumnChange = {
  readonly name?: string;
  /** As numeric(10,2), text[] or geometry(Point,4326) */
  readonly type?: string;
  readonly nullable?: boolean;
  /** Null: none */
  readonly default?:
    | (
        | {
            readonly value: string | number | boolean | Readonly<Record<string, unknown>> | readonly unknown[];
          }
        | {
            readonly function: "now" | "current_date" | "gen_random_uuid" | "current_user";
          }
      )
    | null;
};

export type Index = {
  readonly name: string;
  /** Names of columns, or expressions */
  readonly columns: readonly string[];
  readonly unique: boolean;
  readonly method: string;
  /** The constraint that owns it; it is dropped with that */
  readonly constraint_name: string | null;
  readonly definition: string;
};

export type NewIndex = {
  /** Default: the name that PostgreSQL chooses */
  readonly name?: string;
  readonly columns: readonly string[];
  readonly unique?: boolean;
  readonly method?: "btree" | "hash" | "gist" | "spgist" | "gin" | "brin";
};

export type Constraint = {
  readonly name: string;
  readonly kind: "primary_key" | "unique" | "foreign_key" | "check" | "other";
  readonly columns: readonly string[];
  readonly definition: string;
};

export type NewPrimaryKey = {
  readonly kind: "primary_key";
  readonly name?: string;
  readonly columns: readonly string[];
};

export type NewUnique = {
  readonly kind: "unique";
  readonly name?: string;
  readonly columns: readonly string[];
};

export type NewForeignKey = {
  readonly kind: "foreign_key";
  readonly name?: string;
  readonly columns: readonly string[];
  readonly references: {
    readonly schema: string;
    readonly table: string;
    readonly columns: readonly string[];
  };
  readonly on_delete?: "no action" | "restrict" | "cascade" | "set null" | "set default";
  readonly on_update?: "no action" | "restrict" | "cascade" | "set null" | "set default";
};

export type NewCheck = {
  readonly kind: "check";
  readonly name?: string;
  readonly columns: readonly string[];
  readonly operator: "=" | "<>" | "<" | "<=" | ">" | ">=" | "~" | "in";
  readonly value: string | number | boolean | readonly (string | number)[];
};

export type Comment = {
  readonly comment: string | null;
  readonly column?: string;
};

export type Enum = {
  readonly name: string;
  readonly values: readonly string[];
  readonly description: string | null;
};

export type NewEnum = {
  readonly name: string;
  readonly values: readonly string[];
};

export type EnumChange = {
  readonly name?: string;
  readonly add?: {
    readonly value: string;
    readonly before?: string;
    readonly after?: string;
  };
  readonly rename?: {
    readonly value: string;
    readonly to: string;
  };
};

export type Privilege = {
  readonly subuser: string;
  readonly privilege: "none" | "read" | "write" | "all";
};

export type Authentication = {
  readonly level: "None" | "Write" | "Read/write";
};

export type Versioning = {
  readonly enabled: boolean;
};

export type Events = {
  readonly enabled: boolean;
};

export type Shards = {
  readonly kind: "distributed" | "reference" | "schema" | "local";
  readonly column?: string;
  readonly shards?: number;
  readonly colocated?: readonly string[];
};

export type ShardsChange = {
  readonly kind: "distributed" | "reference";
  readonly column?: string;
  /** `schema.table` of a table that is distributed in the same way */
  readonly colocate_with?: string;
};

export type StyleClass = {
  readonly name: string;
  /** A filter, as in GraphQL, on columns of simple types */
  readonly where?: unknown;
  /** Denominator of the scale from which it is drawn */
  readonly minScale?: number | null;
  /** Denominator of the scale below which it is drawn */
  readonly maxScale?: number | null;
  /** {color, outlineColor, width, symbol, size, pattern, angle, opacity}; each is drawn over the one before it */
  readonly styles?: readonly Readonly<Record<string, unknown>>[] | null;
  /** {text, size, color, outlineColor, position, minScale, maxScale} */
  readonly labels?: readonly Readonly<Record<string, unknown>>[] | null;
};

export type Workflow = {
  readonly enabled: boolean;
  readonly roles: readonly {
    readonly subuser: string;
    readonly role: "author" | "reviewer" | "publisher";
  }[];
};

export type WorkflowChange = {
  readonly enabled?: boolean;
  readonly roles?: readonly {
    readonly subuser: string;
    readonly role: "author" | "reviewer" | "publisher" | "none";
  }[];
};

export type TableColumnPrivilege = {
  readonly subuser: string;
  readonly column: string;
  readonly privileges: readonly ("select" | "insert" | "update")[];
  readonly table: string;
};

export type ColumnPrivilege = {
  readonly subuser: string;
  readonly column: string;
  readonly privileges: readonly ("select" | "insert" | "update")[];
};

export type ColumnPrivilegeChange = {
  readonly subuser: string;
  /** Columns that are not named keep their privileges */
  readonly columns: Readonly<Record<string, readonly ("select" | "insert" | "update")[]>>;
};

export type ColumnPrivilegeSql = {
  readonly sql: string;
};

export type NewStyle = {
  readonly name?: string;
  readonly title?: string;
  /** Whether requests that name no style use it */
  readonly default?: boolean;
  readonly classes?: readonly {
    readonly name: string;
    /** A filter, as in GraphQL, on columns of simple types */
    readonly where?: unknown;
    /** Denominator of the scale from which it is drawn */
    readonly minScale?: number | null;
    /** Denominator of the scale below which it is drawn */
    readonly maxScale?: number | null;
    /** {color, outlineColor, width, symbol, size, pattern, angle, opacity}; each is drawn over the one before it */
    readonly styles?: readonly Readonly<Record<string, unknown>>[] | null;
    /** {text, size, color, outlineColor, position, minScale, maxScale} */
    readonly labels?: readonly Readonly<Record<string, unknown>>[] | null;
  }[];
  /** In place of `classes`: SLD 1.0 or 1.1, QML of QGIS, or a style for MapLibre, as text */
  readonly document?: string;
  /** The format of the document. Default: detected */
  readonly format?: "sld" | "qml" | "mbs";
};

export type Style = {
  readonly name: string;
  readonly title: string | null;
  /** Whether requests that name no style use it */
  readonly default: boolean;
  readonly classes:
    | readonly {
        readonly name: string;
        /** A filter, as in GraphQL, on columns of simple types */
        readonly where?: unknown;
        /** Denominator of the scale from which it is drawn */
        readonly minScale?: number | null;
        /** Denominator of the scale below which it is drawn */
        readonly maxScale?: number | null;
        /** {color, outlineColor, width, symbol, size, pattern, angle, opacity}; each is drawn over the one before it */
        readonly styles?: readonly Readonly<Record<string, unknown>>[] | null;
        /** {text, size, color, outlineColor, position, minScale, maxScale} */
        readonly labels?: readonly Readonly<Record<string, unknown>>[] | null;
      }[]
    | null;
};

export type StyleChange = {
  readonly title?: string;
  readonly default?: true;
  readonly classes?: readonly {
    readonly name: string;
    /** A filter, as in GraphQL, on columns of simple types */
    readonly where?: unknown;
    /** Denominator of the scale from which it is drawn */
    readonly minScale?: number | null;
    /** Denominator of the scale below which it is drawn */
    readonly maxScale?: number | null;
    /** {color, outlineColor, width, symbol, size, pattern, angle, opacity}; each is drawn over the one before it */
    readonly styles?: readonly Readonly<Record<string, unknown>>[] | null;
    /** {text, size, color, outlineColor, position, minScale, maxScale} */
    readonly labels?: readonly Readonly<Record<string, unknown>>[] | null;
  }[];
};

export type TableCodeOwners = {
  readonly table: string;
  /** The first of these roles, by name, whose code runs when the table is read; null: none */
  readonly reads: string | null;
  /** The same for writing */
  readonly writes: string | null;
};

export type CodeOwner = {
  /** An untrusted role; public: any role */
  readonly owner: string;
  /** Where its code is, after what leads there */
  readonly via: string;
  /** Whether reading the table runs it; writing does in any case */
  readonly reads: boolean;
};

export type RowVersion = {
  readonly valid_from: string;
  /** Null: it still is */
  readonly valid_until: string | null;
  readonly written_by: string | null;
  readonly ended_by: string | null;
  /** The columns that the account may read, by their names */
  readonly record: Readonly<Record<string, unknown>>;
};

export type RowDifference = {
  readonly key: string;
  readonly change: "insert" | "update" | "delete";
  /** Of the last change of it */
  readonly at: string;
  /** The account that made it; null for accounts that may read only some columns */
  readonly by: string | null;
  readonly before: Readonly<Record<string, unknown>> | null;
  readonly after: Readonly<Record<string, unknown>> | null;
};

export type RowToRestore = {
  /** As the id in GraphQL: the values of several columns, percent-encoded and joined by commas */
  readonly key: string;
  readonly at: string;
};

export type InsertedRows = {
  /** As the import said it */
  readonly at: string;
  /** How many it inserted */
  readonly rows: number;
};

export type RowComment = {
  /** The number of the comment */
  readonly id: number;
  /** As the id in GraphQL: the values of several columns, percent-encoded and joined by commas */
  readonly key: string;
  readonly body: string;
  /** Null: the operator, or an account that has been removed */
  readonly author: string | null;
  readonly created_at: string;
  readonly changed_at: string | null;
  /** Whether the caller has written it */
  readonly may_change: boolean;
  readonly may_remove: boolean;
};

export type NewRowComment = {
  /** As the id in GraphQL: the values of several columns, percent-encoded and joined by commas */
  readonly key: string;
  readonly body: string;
};

export type RowCommentChange = {
  readonly body: string;
};

export type FilePreview = {
  readonly columns: readonly {
    readonly name: string;
    /** PostgreSQL's type that fits the examined rows */
    readonly type: string;
  }[];
  /** The columns of longitude and latitude, by their names and values; null: there are none */
  readonly point: readonly string[] | null;
  /** The first ones, as text */
  readonly rows: readonly (readonly (string | null)[])[];
};

export type Imported = {
  /** Its number at /jobs; null for a dry run */
  readonly job: number | null;
  /** How many were inserted */
  readonly rows: number;
  /** The instant of the rows in the history of the table, which undo takes; null for a dry run */
  readonly at: string | null;
};

export type Waiting = {
  readonly schema: string;
  readonly table: string;
  /** The role of the account there */
  readonly role: "author" | "reviewer" | "publisher";
  /** Rows that the account sees; an author sees its own */
  readonly drafted: number;
  readonly reviewed: number;
};

export type WaitingRow = {
  readonly key: string;
  readonly state: "drafted" | "reviewed";
  readonly author: string | null;
  readonly reviewer: string | null;
  readonly publisher: string | null;
  /** Changes with each change of the row */
  readonly version: string;
  /** As it was when it was last published, where the history of the table is kept */
  readonly published: Readonly<Record<string, unknown>> | null;
  /** The columns that the account may read, by their names */
  readonly record: Readonly<Record<string, unknown>>;
};

export type WorkflowMove = {
  readonly to: "drafted" | "reviewed" | "published";
  readonly rows: readonly {
    readonly key: string;
    /** Moves the row only if it has not changed since it was shown */
    readonly version?: string;
  }[];
};

export type WaitingShape = {
  readonly column: string;
  /** The row as it was last published, where the history has it */
  readonly before: {
    /** As PostGIS names it, such as MultiPolygon */
    readonly type: string;
    readonly srid: number;
    readonly points: number;
    /** GeoJSON in degrees, without heights. Null where there is nothing to draw: it is empty, or a coordinate is not a number */
    readonly geometry: Readonly<Record<string, unknown>> | null;
    /** The GeoJSON has the geometry's own coordinates: its reference system is unknown or does not reach there */
    readonly plane: boolean;
    /** How it differs from the geometry: arcs are lines, or details beyond 100,000 points are left out */
    readonly approximate: ("arcs" | "points") | null;
  } | null;
  readonly after: {
    /** As PostGIS names it, such as MultiPolygon */
    readonly type: string;
    readonly srid: number;
    readonly points: number;
    /** GeoJSON in degrees, without heights. Null where there is nothing to draw: it is empty, or a coordinate is not a number */
    readonly geometry: Readonly<Record<string, unknown>> | null;
    /** The GeoJSON has the geometry's own coordinates: its reference system is unknown or does not reach there */
    readonly plane: boolean;
    /** How it differs from the geometry: arcs are lines, or details beyond 100,000 points are left out */
    readonly approximate: ("arcs" | "points") | null;
  } | null;
};

export type ValueClass = {
  /** A value of the column */
  readonly lower: unknown;
  /** A value of the column */
  readonly upper: unknown;
  /** Rows that the account may see */
  readonly count: number;
};

export type Raster = {
  readonly schema: string;
  readonly table: string;
  /** Path of a GeoTIFF below the raster folder */
  readonly file: string;
};

export type NewRaster = {
  readonly schema: string;
  readonly table: string;
  /** Path of a GeoTIFF below the raster folder */
  readonly file: string;
};

export type RasterChange = {
  /** Path of a GeoTIFF below the raster folder */
  readonly file: string;
};

export type Map = {
  readonly name: string;
  readonly title?: string | null;
  /** The view that opens first; null: the extent of all layers */
  readonly view?: {
    /** Longitude and latitude of the middle, in degrees */
    readonly center: readonly [number, number];
    /** 0: the world in 256 pixels; each further step doubles it */
    readonly zoom: number;
    /** The instant at which tables with history are shown; null: now */
    readonly time?: string | null;
  } | null;
  /** The lowest layer first */
  readonly layers: readonly {
    /** A table, view or raster, as schema.table */
    readonly collection?: string;
    /** A basemap, by its name in the option basemaps */
    readonly basemap?: string;
    /** Portolan's own outline of the land */
    readonly land?: true;
    /** How a collection is loaded; default tiles. map: pictures, as always for a raster */
    readonly show?: "tiles" | "features" | "map";
    /** Default: the name of the collection or basemap */
    readonly title?: string | null;
    /** Default 1 */
    readonly opacity?: number;
    /** Default true */
    readonly visible?: boolean;
    /** The name of a style of the collection, or the classes of a style of the layer itself. Default: the style of the collection */
    readonly style?:
      | (
          | string
          | readonly {
              readonly name: string;
              /** A filter, as in GraphQL, on columns of simple types */
              readonly where?: unknown;
              /** Denominator of the scale from which it is drawn */
              readonly minScale?: number | null;
              /** Denominator of the scale below which it is drawn */
              readonly maxScale?: number | null;
              /** {color, outlineColor, width, symbol, size, pattern, angle, opacity}; each is drawn over the one before it */
              readonly styles?: readonly Readonly<Record<string, unknown>>[] | null;
              /** {text, size, color, outlineColor, position, minScale, maxScale} */
              readonly labels?: readonly Readonly<Record<string, unknown>>[] | null;
            }[]
        )
      | null;
    /** Only features that meet this condition, in CQL2 */
    readonly filter?: string | null;
  }[];
  /** Accounts and groups that see it; *: everybody, who can then open its public page */
  readonly shared: readonly string[];
  /** Only super users change it; null: the operator */
  readonly owner?: string | null;
  /** Counts the changes of the map */
  readonly version: number;
  /** Whether the caller may change it */
  readonly may_change: boolean;
};

export type NewMap = {
  readonly name: string;
  readonly title?: string | null;
  /** The view that opens first; null: the extent of all layers */
  readonly view?: {
    /** Longitude and latitude of the middle, in degrees */
    readonly center: readonly [number, number];
    /** 0: the world in 256 pixels; each further step doubles it */
    readonly zoom: number;
    /** The instant at which tables with history are shown; null: now */
    readonly time?: string | null;
  } | null;
  /** The lowest layer first */
  readonly layers?: readonly {
    /** A table, view or raster, as schema.table */
    readonly collection?: string;
    /** A basemap, by its name in the option basemaps */
    readonly basemap?: string;
    /** Portolan's own outline of the land */
    readonly land?: true;
    /** How a collection is loaded; default tiles. map: pictures, as always for a raster */
    readonly show?: "tiles" | "features" | "map";
    /** Default: the name of the collection or basemap */
    readonly title?: string | null;
    /** Default 1 */
    readonly opacity?: number;
    /** Default true */
    readonly visible?: boolean;
    /** The name of a style of the collection, or the classes of a style of the layer itself. Default: the style of the collection */
    readonly style?:
      | (
          | string
          | readonly {
              readonly name: string;
              /** A filter, as in GraphQL, on columns of simple types */
              readonly where?: unknown;
              /** Denominator of the scale from which it is drawn */
              readonly minScale?: number | null;
              /** Denominator of the scale below which it is drawn */
              readonly maxScale?: number | null;
              /** {color, outlineColor, width, symbol, size, pattern, angle, opacity}; each is drawn over the one before it */
              readonly styles?: readonly Readonly<Record<string, unknown>>[] | null;
              /** {text, size, color, outlineColor, position, minScale, maxScale} */
              readonly labels?: readonly Readonly<Record<string, unknown>>[] | null;
            }[]
        )
      | null;
    /** Only features that meet this condition, in CQL2 */
    readonly filter?: string | null;
  }[];
  /** Accounts and groups that see it; *: everybody, who can then open its public page */
  readonly shared?: readonly string[];
};

export type MapChange = {
  readonly title?: string | null;
  /** The view that opens first; null: the extent of all layers */
  readonly view?: {
    /** Longitude and latitude of the middle, in degrees */
    readonly center: readonly [number, number];
    /** 0: the world in 256 pixels; each further step doubles it */
    readonly zoom: number;
    /** The instant at which tables with history are shown; null: now */
    readonly time?: string | null;
  } | null;
  /** The lowest layer first */
  readonly layers?: readonly {
    /** A table, view or raster, as schema.table */
    readonly collection?: string;
    /** A basemap, by its name in the option basemaps */
    readonly basemap?: string;
    /** Portolan's own outline of the land */
    readonly land?: true;
    /** How a collection is loaded; default tiles. map: pictures, as always for a raster */
    readonly show?: "tiles" | "features" | "map";
    /** Default: the name of the collection or basemap */
    readonly title?: string | null;
    /** Default 1 */
    readonly opacity?: number;
    /** Default true */
    readonly visible?: boolean;
    /** The name of a style of the collection, or the classes of a style of the layer itself. Default: the style of the collection */
    readonly style?:
      | (
          | string
          | readonly {
              readonly name: string;
              /** A filter, as in GraphQL, on columns of simple types */
              readonly where?: unknown;
              /** Denominator of the scale from which it is drawn */
              readonly minScale?: number | null;
              /** Denominator of the scale below which it is drawn */
              readonly maxScale?: number | null;
              /** {color, outlineColor, width, symbol, size, pattern, angle, opacity}; each is drawn over the one before it */
              readonly styles?: readonly Readonly<Record<string, unknown>>[] | null;
              /** {text, size, color, outlineColor, position, minScale, maxScale} */
              readonly labels?: readonly Readonly<Record<string, unknown>>[] | null;
            }[]
        )
      | null;
    /** Only features that meet this condition, in CQL2 */
    readonly filter?: string | null;
  }[];
  /** Accounts and groups that see it; *: everybody, who can then open its public page */
  readonly shared?: readonly string[];
  /** Only super users change it; null: the operator */
  readonly owner?: string | null;
  /** The version that was read: 409 if it has changed since */
  readonly version?: number;
};

export type SavedVersion = {
  readonly version: number;
  /** null: saved before versions were kept */
  readonly saved_at: string | null;
  readonly saved_by: string | null;
  /** Its members in that version, without `shared` */
  readonly item: Readonly<Record<string, unknown>>;
};

export type ChosenVersion = {
  readonly version: number;
};

export type Query = {
  readonly name: string;
  readonly title?: string | null;
  /** SQL, with parameters as in stored methods: `:name` */
  readonly q: string;
  /** How the console shows its result; null: as a table */
  readonly chart?: {
    /** number: the y of the first row */
    readonly show: "number" | "line" | "bar";
    /** The column of the x axis, or of the names of bars. Default: the first of times, else the first of several of numbers, else the rows in their order; of bars the first other one */
    readonly x?: string | null;
    /** The column of numbers. Default: the first that is not x */
    readonly y?: string | null;
  } | null;
  /** Accounts and groups that see it; *: everybody who is signed in */
  readonly shared: readonly string[];
  /** Only super users change it; null: the operator */
  readonly owner?: string | null;
  /** Counts the changes of the query */
  readonly version: number;
  /** Whether the caller may change it */
  readonly may_change: boolean;
};

export type NewQuery = {
  readonly name: string;
  readonly title?: string | null;
  /** SQL, with parameters as in stored methods: `:name` */
  readonly q: string;
  /** How the console shows its result; null: as a table */
  readonly chart?: {
    /** number: the y of the first row */
    readonly show: "number" | "line" | "bar";
    /** The column of the x axis, or of the names of bars. Default: the first of times, else the first of several of numbers, else the rows in their order; of bars the first other one */
    readonly x?: string | null;
    /** The column of numbers. Default: the first that is not x */
    readonly y?: string | null;
  } | null;
  /** Accounts and groups that see it; *: everybody who is signed in */
  readonly shared?: readonly string[];
};

export type QueryChange = {
  readonly title?: string | null;
  /** SQL, with parameters as in stored methods: `:name` */
  readonly q?: string;
  /** How the console shows its result; null: as a table */
  readonly chart?: {
    /** number: the y of the first row */
    readonly show: "number" | "line" | "bar";
    /** The column of the x axis, or of the names of bars. Default: the first of times, else the first of several of numbers, else the rows in their order; of bars the first other one */
    readonly x?: string | null;
    /** The column of numbers. Default: the first that is not x */
    readonly y?: string | null;
  } | null;
  /** Accounts and groups that see it; *: everybody who is signed in */
  readonly shared?: readonly string[];
  /** Only super users change it; null: the operator */
  readonly owner?: string | null;
  /** The version that was read: 409 if it has changed since */
  readonly version?: number;
};

export type Dashboard = {
  readonly name: string;
  readonly title?: string | null;
  readonly panels: readonly {
    readonly title?: string | null;
    /** SQL, with parameters as in stored methods: `:name` */
    readonly q: string;
    /** The values of its parameters, by name */
    readonly params?: Readonly<Record<string, unknown>> | null;
    /** number: the y of the first row */
    readonly show: "number" | "line" | "bar" | "table";
    /** The column of the x axis, or of the names of bars. Default: the first of times, else the first of several of numbers, else the rows in their order; of bars the first other one */
    readonly x?: string | null;
    /** The column of numbers. Default: the first that is not x */
    readonly y?: string | null;
    /** Whether it takes the whole width */
    readonly wide?: boolean | null;
  }[];
  /** Accounts and groups that see it; *: everybody, who can then open its public page */
  readonly shared: readonly string[];
  /** Only super users change it; null: the operator */
  readonly owner?: string | null;
  /** Counts the changes of the dashboard */
  readonly version: number;
  /** Whether the caller may change it */
  readonly may_change: boolean;
};

export type NewDashboard = {
  readonly name: string;
  readonly title?: string | null;
  readonly panels?: readonly {
    readonly title?: string | null;
    /** SQL, with parameters as in stored methods: `:name` */
    readonly q: string;
    /** The values of its parameters, by name */
    readonly params?: Readonly<Record<string, unknown>> | null;
    /** number: the y of the first row */
    readonly show: "number" | "line" | "bar" | "table";
    /** The column of the x axis, or of the names of bars. Default: the first of times, else the first of several of numbers, else the rows in their order; of bars the first other one */
    readonly x?: string | null;
    /** The column of numbers. Default: the first that is not x */
    readonly y?: string | null;
    /** Whether it takes the whole width */
    readonly wide?: boolean | null;
  }[];
  /** Accounts and groups that see it; *: everybody, who can then open its public page */
  readonly shared?: readonly string[];
};

export type DashboardChange = {
  readonly title?: string | null;
  readonly panels?: readonly {
    readonly title?: string | null;
    /** SQL, with parameters as in stored methods: `:name` */
    readonly q: string;
    /** The values of its parameters, by name */
    readonly params?: Readonly<Record<string, unknown>> | null;
    /** number: the y of the first row */
    readonly show: "number" | "line" | "bar" | "table";
    /** The column of the x axis, or of the names of bars. Default: the first of times, else the first of several of numbers, else the rows in their order; of bars the first other one */
    readonly x?: string | null;
    /** The column of numbers. Default: the first that is not x */
    readonly y?: string | null;
    /** Whether it takes the whole width */
    readonly wide?: boolean | null;
  }[];
  /** Accounts and groups that see it; *: everybody, who can then open its public page */
  readonly shared?: readonly string[];
  /** Only super users change it; null: the operator */
  readonly owner?: string | null;
  /** The version that was read: 409 if it has changed since */
  readonly version?: number;
};

export type View = {
  readonly name: string;
  readonly title?: string | null;
  /** The table or view, as schema.table in SQL */
  readonly relation: string;
  /** How the rows are shown; default grid */
  readonly kind: "grid" | "form" | "cards" | "calendar" | "kanban" | "map";
  /** The rows, in the filter language; null: all */
  readonly filter?: Readonly<Record<string, unknown>> | null;
  /** The column to order by; a - before it means descending */
  readonly sort?: string | null;
  readonly columns?: {
    /** The columns that come first */
    readonly order?: readonly string[];
    readonly hidden?: readonly string[];
    /** The columns that stay in sight */
    readonly pinned?: readonly string[];
    /** In pixels */
    readonly widths?: Readonly<Record<string, number>>;
  } | null;
  /** The columns that a kind needs: a calendar has date, a kanban board has group */
  readonly fields?: {
    /** The column that names a row */
    readonly label?: string;
    /** The day of a row on a calendar */
    readonly date?: string;
    /** Its last day */
    readonly until?: string;
    /** The column whose values are the columns of a kanban board */
    readonly group?: string;
    /** The column that a map shows */
    readonly geometry?: string;
  } | null;
  /** Accounts and groups that see it; *: everybody who is signed in */
  readonly shared: readonly string[];
  /** Only super users change it; null: the operator */
  readonly owner?: string | null;
  /** Null where the table has been dropped */
  readonly schema: string | null;
  readonly table: string | null;
  /** Counts the changes of the view */
  readonly version: number;
  /** Whether the caller may change it */
  readonly may_change: boolean;
};

export type NewView = {
  readonly name: string;
  readonly title?: string | null;
  /** The table or view, as schema.table in SQL */
  readonly relation: string;
  /** How the rows are shown; default grid */
  readonly kind?: "grid" | "form" | "cards" | "calendar" | "kanban" | "map";
  /** The rows, in the filter language; null: all */
  readonly filter?: Readonly<Record<string, unknown>> | null;
  /** The column to order by; a - before it means descending */
  readonly sort?: string | null;
  readonly columns?: {
    /** The columns that come first */
    readonly order?: readonly string[];
    readonly hidden?: readonly string[];
    /** The columns that stay in sight */
    readonly pinned?: readonly string[];
    /** In pixels */
    readonly widths?: Readonly<Record<string, number>>;
  } | null;
  /** The columns that a kind needs: a calendar has date, a kanban board has group */
  readonly fields?: {
    /** The column that names a row */
    readonly label?: string;
    /** The day of a row on a calendar */
    readonly date?: string;
    /** Its last day */
    readonly until?: string;
    /** The column whose values are the columns of a kanban board */
    readonly group?: string;
    /** The column that a map shows */
    readonly geometry?: string;
  } | null;
  /** Accounts and groups that see it; *: everybody who is signed in */
  readonly shared?: readonly string[];
};

export type ViewChange = {
  readonly title?: string | null;
  /** The table or view, as schema.table in SQL */
  readonly relation?: string;
  /** How the rows are shown; default grid */
  readonly kind?: "grid" | "form" | "cards" | "calendar" | "kanban" | "map";
  /** The rows, in the filter language; null: all */
  readonly filter?: Readonly<Record<string, unknown>> | null;
  /** The column to order by; a - before it means descending */
  readonly sort?: string | null;
  readonly columns?: {
    /** The columns that come first */
    readonly order?: readonly string[];
    readonly hidden?: readonly string[];
    /** The columns that stay in sight */
    readonly pinned?: readonly string[];
    /** In pixels */
    readonly widths?: Readonly<Record<string, number>>;
  } | null;
  /** The columns that a kind needs: a calendar has date, a kanban board has group */
  readonly fields?: {
    /** The column that names a row */
    readonly label?: string;
    /** The day of a row on a calendar */
    readonly date?: string;
    /** Its last day */
    readonly until?: string;
    /** The column whose values are the columns of a kanban board */
    readonly group?: string;
    /** The column that a map shows */
    readonly geometry?: string;
  } | null;
  /** Accounts and groups that see it; *: everybody who is signed in */
  readonly shared?: readonly string[];
  /** Only super users change it; null: the operator */
  readonly owner?: string | null;
  /** The version that was read: 409 if it has changed since */
  readonly version?: number;
};

export type Job = {
  readonly id: number;
  readonly kind: "versioning" | "end_versioning" | "workflow" | "events" | "import" | "download" | "tiles";
  /** As SQL writes it */
  readonly relation: string;
  readonly state: "queued" | "running" | "stopped" | "failed" | "done";
  /** Rows */
  readonly done: number;
  /** Rows; an estimate until it is done */
  readonly total: number;
  readonly started_by: string;
  readonly started: string;
  readonly updated: string;
  /** Why it failed, or why it waits */
  readonly error: string | null;
};

export type JobChange = {
  readonly state: "queued" | "stopped";
};

export type Pyramid = {
  readonly id: number;
  readonly collection: string;
  readonly tile_matrix_set: string;
  readonly first_zoom: number;
  readonly last_zoom: number;
  /** The account whose rights the tiles have; accounts with the same rights get them */
  readonly account: string;
  /** Its number at /jobs */
  readonly job: number | null;
  readonly state: ("queued" | "running" | "stopped" | "failed" | "done") | null;
  /** With those that have nothing in them */
  readonly tiles: number;
  readonly bytes: number;
  /** Areas that were written since; their tiles are made on request */
  readonly behind: number;
  readonly error: string | null;
};

export type WantedPyramid = {
  /** schema.table, or schema.table.column for another column of geometries */
  readonly collection: string;
  readonly last_zoom: number;
  /** Default 0 */
  readonly first_zoom?: number;
  /** Default anonymous */
  readonly account?: string;
  /** Default WebMercatorQuad */
  readonly tile_matrix_set?: string;
};

export type Configuration = {
  readonly accounts?: Readonly<
    Record<
      string,
      {
        readonly email?: string | null;
        readonly user_group?: (string | null) | readonly string[];
        readonly default_user?: boolean;
        readonly email_verified?: boolean;
        readonly two_factor?: boolean;
        readonly allow_signup?: boolean | null;
        readonly social_signup?: boolean | null;
        readonly properties?: Readonly<Record<string, unknown>>;
        readonly superuser?: boolean;
        /** An existing PostgreSQL role; not over REST */
        readonly role?: string;
      }
    >
  >;
  readonly clients?: Readonly<
    Record<
      string,
      {
        readonly name?: string;
        readonly redirect_uri?: readonly string[];
        readonly homepage?: string | null;
        readonly description?: string | null;
        readonly public?: boolean;
        readonly confirm?: boolean;
        readonly grants?: readonly string[];
        readonly refresh_reuse?: string;
        readonly account?: string | null;
        readonly id_token_signed_response_alg?: string;
        readonly subject_type?: string | null;
        readonly sector_identifier_uri?: string | null;
        readonly post_logout_redirect_uris?: readonly string[];
        readonly backchannel_logout_uri?: string | null;
        readonly disabled?: boolean;
        readonly require_pkce?: boolean;
        readonly token_endpoint_auth_method?: string | null;
        readonly token_endpoint_auth_signing_alg?: string | null;
        readonly jwks?: unknown;
        readonly jwks_uri?: string | null;
        readonly require_par?: boolean;
        readonly dpop_bound_access_tokens?: boolean;
        readonly access_token_lifetime_seconds?: number;
        readonly refresh_token_lifetime_seconds?: number;
        readonly code_lifetime_seconds?: number;
        readonly device_code_lifetime_seconds?: number;
        readonly device_poll_interval_seconds?: number;
      }
    >
  >;
  /** By their numbers */
  readonly rules?: Readonly<
    Record<
      string,
      {
        readonly priority?: number;
        readonly username?: string;
        readonly service?: string;
        readonly request?: string;
        readonly schema?: string;
        readonly table?: string;
        readonly iprange?: string;
        readonly access?: "allow" | "limit" | "deny";
        readonly filter?: string | null;
        readonly mfa?: boolean;
      }
    >
  >;
  readonly methods?: Readonly<
    Record<
      string,
      {
        readonly q?: string;
        /** Name of a parameter or column → name of a type, with [] for arrays */
        readonly type_hints?: Readonly<Record<string, string>> | null;
        /** Name of a parameter or column → pattern of dates and times in the letters of PHP's date() */
        readonly type_formats?: Readonly<Record<string, string>> | null;
        /** Default json */
        readonly output_format?:
          | "json"
          | "csv"
          | "tsv"
          | "ndjson"
          | "jsonseq"
          | "geojson"
          | "jsonfg"
          | "geopackage"
          | "parquet"
          | "arrow"
          | "excel"
          | "markdown";
        /** EPSG code of geometries in the result; default 4326 */
        readonly srs?: number;
        readonly description?: string | null;
        readonly timeout_ms?: number | null;
        readonly max_rows?: number | null;
        readonly cache_seconds?: number | null;
        /** Whether others may call it; for super users */
        readonly published?: boolean;
        readonly owner?: string | null;
      }
    >
  >;
  /** The file of each, by schema.name */
  readonly rasters?: Readonly<Record<string, string>>;
  readonly queries?: Readonly<
    Record<
      string,
      {
        readonly title?: string | null;
        /** SQL, with parameters as in stored methods: `:name` */
        readonly q?: string;
        /** How the console shows its result; null: as a table */
        readonly chart?: {
          /** number: the y of the first row */
          readonly show: "number" | "line" | "bar";
          /** The column of the x axis, or of the names of bars. Default: the first of times, else the first of several of numbers, else the rows in their order; of bars the first other one */
          readonly x?: string | null;
          /** The column of numbers. Default: the first that is not x */
          readonly y?: string | null;
        } | null;
        /** Accounts and groups that see it; *: everybody who is signed in */
        readonly shared?: readonly string[];
        /** Only super users change it; null: the operator */
        readonly owner?: string | null;
      }
    >
  >;
  readonly dashboards?: Readonly<
    Record<
      string,
      {
        readonly title?: string | null;
        readonly panels?: readonly {
          readonly title?: string | null;
          /** SQL, with parameters as in stored methods: `:name` */
          readonly q: string;
          /** The values of its parameters, by name */
          readonly params?: Readonly<Record<string, unknown>> | null;
          /** number: the y of the first row */
          readonly show: "number" | "line" | "bar" | "table";
          /** The column of the x axis, or of the names of bars. Default: the first of times, else the first of several of numbers, else the rows in their order; of bars the first other one */
          readonly x?: string | null;
          /** The column of numbers. Default: the first that is not x */
          readonly y?: string | null;
          /** Whether it takes the whole width */
          readonly wide?: boolean | null;
        }[];
        /** Accounts and groups that see it; *: everybody, who can then open its public page */
        readonly shared?: readonly string[];
        /** Only super users change it; null: the operator */
        readonly owner?: string | null;
      }
    >
  >;
  readonly maps?: Readonly<
    Record<
      string,
      {
        readonly title?: string | null;
        /** The view that opens first; null: the extent of all layers */
        readonly view?: {
          /** Longitude and latitude of the middle, in degrees */
          readonly center: readonly [number, number];
          /** 0: the world in 256 pixels; each further step doubles it */
          readonly zoom: number;
          /** The instant at which tables with history are shown; null: now */
          readonly time?: string | null;
        } | null;
        /** The lowest layer first */
        readonly layers?: readonly {
          /** A table, view or raster, as schema.table */
          readonly collection?: string;
          /** A basemap, by its name in the option basemaps */
          readonly basemap?: string;
          /** Portolan's own outline of the land */
          readonly land?: true;
          /** How a collection is loaded; default tiles. map: pictures, as always for a raster */
          readonly show?: "tiles" | "features" | "map";
          /** Default: the name of the collection or basemap */
          readonly title?: string | null;
          /** Default 1 */
          readonly opacity?: number;
          /** Default true */
          readonly visible?: boolean;
          /** The name of a style of the collection, or the classes of a style of the layer itself. Default: the style of the collection */
          readonly style?:
            | (
                | string
                | readonly {
                    readonly name: string;
                    /** A filter, as in GraphQL, on columns of simple types */
                    readonly where?: unknown;
                    /** Denominator of the scale from which it is drawn */
                    readonly minScale?: number | null;
                    /** Denominator of the scale below which it is drawn */
                    readonly maxScale?: number | null;
                    /** {color, outlineColor, width, symbol, size, pattern, angle, opacity}; each is drawn over the one before it */
                    readonly styles?: readonly Readonly<Record<string, unknown>>[] | null;
                    /** {text, size, color, outlineColor, position, minScale, maxScale} */
                    readonly labels?: readonly Readonly<Record<string, unknown>>[] | null;
                  }[]
              )
            | null;
          /** Only features that meet this condition, in CQL2 */
          readonly filter?: string | null;
        }[];
        /** Accounts and groups that see it; *: everybody, who can then open its public page */
        readonly shared?: readonly string[];
        /** Only super users change it; null: the operator */
        readonly owner?: string | null;
      }
    >
  >;
  readonly views?: Readonly<
    Record<
      string,
      {
        readonly title?: string | null;
        /** The table or view, as schema.table in SQL */
        readonly relation?: string;
        /** How the rows are shown; default grid */
        readonly kind?: "grid" | "form" | "cards" | "calendar" | "kanban" | "map";
        /** The rows, in the filter language; null: all */
        readonly filter?: Readonly<Record<string, unknown>> | null;
        /** The column to order by; a - before it means descending */
        readonly sort?: string | null;
        readonly columns?: {
          /** The columns that come first */
          readonly order?: readonly string[];
          readonly hidden?: readonly string[];
          /** The columns that stay in sight */
          readonly pinned?: readonly string[];
          /** In pixels */
          readonly widths?: Readonly<Record<string, number>>;
        } | null;
        /** The columns that a kind needs: a calendar has date, a kanban board has group */
        readonly fields?: {
          /** The column that names a row */
          readonly label?: string;
          /** The day of a row on a calendar */
          readonly date?: string;
          /** Its last day */
          readonly until?: string;
          /** The column whose values are the columns of a kanban board */
          readonly group?: string;
          /** The column that a map shows */
          readonly geometry?: string;
        } | null;
        /** Accounts and groups that see it; *: everybody who is signed in */
        readonly shared?: readonly string[];
        /** Only super users change it; null: the operator */
        readonly owner?: string | null;
      }
    >
  >;
  /** The settings of each, by schema.name */
  readonly tables?: Readonly<
    Record<
      string,
      {
        readonly authentication?: "None" | "Write" | "Read/write";
        readonly privileges?: Readonly<Record<string, "none" | "read" | "write" | "all">>;
        /** Privileges on single columns, by the names of the columns */
        readonly column_privileges?: Readonly<
          Record<string, Readonly<Record<string, readonly ("select" | "insert" | "update")[]>>>
        >;
        readonly style?: readonly unknown[] | null;
        /** Styles with names, beside `style` */
        readonly styles?: Readonly<
          Record<
            string,
            {
              readonly classes: readonly unknown[];
              readonly title?: string | null;
              readonly default?: boolean;
            }
          >
        >;
        readonly events?: boolean;
        readonly versioning?: boolean;
        readonly workflow?: boolean;
        readonly workflow_roles?: Readonly<Record<string, "none" | "author" | "reviewer" | "publisher">>;
      }
    >
  >;
};

export type ConfigurationChange = {
  readonly kind: string;
  readonly name: string;
  readonly member: string;
  readonly action: "create" | "change" | "remove";
  readonly before: unknown;
  readonly after: unknown;
};

export type AuditEntry = {
  readonly id: number;
  readonly at: string;
  /** subject.what, such as rule.created */
  readonly event: string;
  /** The account that it is about */
  readonly account: string | null;
  readonly client_id: string | null;
  readonly address: string | null;
  /** by: the account that did it; before and after: the changed members, without secrets */
  readonly details: Readonly<Record<string, unknown>>;
};

export type Gateway = {
  readonly host: string;
  readonly process: number;
  readonly version: string;
  /** Whether it assigns the order of events */
  readonly reader: boolean;
  /** Groups that it judges for other gateways too, as schema.table and role; null without NATS */
  readonly judges: readonly string[] | null;
  /** Age of the oldest event that it has not delivered yet */
  readonly lag_ms: number;
  readonly subscriptions: number;
  readonly sockets: number;
  /** The time of its last report with a change */
  readonly noted: string;
};

export type TableSize = {
  readonly schema: string;
  readonly name: string;
  /** An estimate */
  readonly rows: number;
  readonly table_bytes: number;
  readonly index_bytes: number;
  /** How often all of it was read */
  readonly whole_reads: number;
  /** How often it was read by an index */
  readonly index_reads: number;
  /** SQL that creates missing indexes, of foreign keys and geometries */
  readonly missing_indexes: readonly string[];
};

export type Finding = {
  readonly ok: boolean;
  readonly severity: ("error" | "warning") | null;
  readonly finding: string;
  /** SQL or commands, one a line */
  readonly remedy: readonly string[];
  /** Of the documents in the package */
  readonly page: string;
};

export type RequestMinute = {
  readonly minute: string;
  readonly host: string;
  readonly requests: number;
  /** 4xx, or such an error in an answer of 200 */
  readonly refused: number;
  /** 5xx */
  readonly failed: number;
  /** Requests whose client did not wait for the whole answer */
  readonly gone: number;
  /** Half of the requests were answered within this time */
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
  /** The greatest age of an undelivered event */
  readonly event_lag_ms: number;
  /** The most maps that waited at once */
  readonly map_queue: number;
};

export type ExplainedRequest = {
  /** X-Request-Id */
  readonly id: string | null;
  /** When it began */
  readonly at: string;
  readonly account: string | null;
  readonly address: string | null;
  /** null: an error on a WebSocket */
  readonly method: string | null;
  readonly path: string | null;
  /** Of GraphQL, with its fields: query Name { field }; or the stored methods that were called */
  readonly operation: string | null;
  /** 499: the client did not wait for the answer */
  readonly status: number | null;
  readonly ms: number | null;
  readonly host: string;
  readonly door: "graphql" | "rest" | "sql" | "methods" | "ogc" | "ows" | "mcp" | "oauth" | "socket" | "pages";
  readonly failures: readonly {
    /** The relation that a refusal is about, if it is about one */
    readonly relation: string | null;
    /** The failure, or why a right was missing */
    readonly error: string | null;
    /** The id that the caller got instead of the error */
    readonly error_id: string | null;
    readonly code: string;
    /** The schema of the relation, if only one schema has a relation of that name */
    readonly schema: string | null;
    readonly table: string | null;
    /** What refused the request; null: no right was missing, or it is unknown */
    readonly decided_by: ("grant" | "rule" | "policy" | "workflow") | null;
    /** What decides about the relation, as explain_access shows it */
    readonly reasons: readonly {
      /** grant, rule, row security, policy, workflow, … */
      readonly subject: string;
      readonly name: string;
      /** yes, no, some columns, or when */
      readonly applies: string;
      readonly meaning: string;
      /** Whether it refused the request */
      readonly decides: boolean;
    }[];
    /** Who may change that */
    readonly may_change: string | null;
    /** Up to 20, for super users */
    readonly super_users: readonly string[] | null;
  }[];
};

export type Statement = {
  /** Of its session */
  readonly pid: number;
  /** The login role of the session */
  readonly login: string;
  /** The account, if it wrote the SQL; other requests run under the login of the gateway */
  readonly account: string | null;
  readonly application: string | null;
  readonly address: string | null;
  /** active, or idle in transaction: as pg_stat_activity has it */
  readonly state: string;
  readonly started: string;
  readonly transaction_started: string | null;
  /** PostgreSQL's type of the wait and its name */
  readonly waits_for: string | null;
  /** Sessions that hold the lock that it waits for */
  readonly blocked_by: readonly number[];
  readonly statement: string;
};

export type TopStatement = {
  /** With parameters in place of values */
  readonly statement: string;
  readonly calls: number;
  readonly total_ms: number;
  readonly mean_ms: number;
  readonly max_ms: number;
  /** Rows that all calls returned or wrote */
  readonly rows: number;
  /** Blocks of 8 kB that were not in PostgreSQL's memory */
  readonly blocks_read: number;
  /** Its part of the time of all statements, from 0 to 1 */
  readonly share: number;
  /** SQL that creates missing indexes of columns by which it searches large tables. Portolan does not test whether PostgreSQL would use them. */
  readonly missing_indexes: readonly string[];
};

export type Extension = {
  readonly name: string;
  readonly version: string;
  /** The version to which `alter extension … update` would update it; null where it has that version */
  readonly newer_version: string | null;
  readonly schema: string;
  /** Whether it may be moved into another schema */
  readonly relocatable: boolean;
  readonly description: string | null;
};

export type Method = {
  readonly method: string;
  readonly q: string;
  readonly type_hints: Readonly<Record<string, string>> | null;
  readonly type_formats: Readonly<Record<string, string>> | null;
  readonly output_format:
    | "json"
    | "csv"
    | "tsv"
    | "ndjson"
    | "jsonseq"
    | "geojson"
    | "jsonfg"
    | "geopackage"
    | "parquet"
    | "arrow"
    | "excel"
    | "markdown";
  readonly srs: number;
  /** What a dry run has found of the parameters */
  readonly input_schema: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly array: boolean;
        /** As TypeScript writes it, null included */
        readonly typescript: string;
        readonly optional?: boolean;
      }
    >
  > | null;
  /** What a dry run has found of the columns */
  readonly output_schema: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly array: boolean;
        /** As TypeScript writes it, null included */
        readonly typescript: string;
        readonly optional?: boolean;
      }
    >
  > | null;
  readonly owner: string | null;
  readonly published: boolean;
  readonly description: string | null;
  readonly timeout_ms: number | null;
  readonly max_rows: number | null;
  readonly cache_seconds: number | null;
  /** Of a function with the comment @method only: it is changed in SQL */
  readonly function?: {
    readonly schema: string;
    readonly name: string;
  };
};

export type NewMethod = {
  readonly method: string;
  readonly q: string;
  /** Name of a parameter or column → name of a type, with [] for arrays */
  readonly type_hints?: Readonly<Record<string, string>> | null;
  /** Name of a parameter or column → pattern of dates and times in the letters of PHP's date() */
  readonly type_formats?: Readonly<Record<string, string>> | null;
  /** Default json */
  readonly output_format?:
    | "json"
    | "csv"
    | "tsv"
    | "ndjson"
    | "jsonseq"
    | "geojson"
    | "jsonfg"
    | "geopackage"
    | "parquet"
    | "arrow"
    | "excel"
    | "markdown";
  /** EPSG code of geometries in the result; default 4326 */
  readonly srs?: number;
  readonly description?: string | null;
  readonly timeout_ms?: number | null;
  readonly max_rows?: number | null;
  readonly cache_seconds?: number | null;
  /** Whether others may call it; for super users */
  readonly published?: boolean;
  /** Taken without effect; `notes` says so */
  readonly base64?: unknown;
  /** Taken without effect; `notes` says so */
  readonly convert_types?: unknown;
};

export type MethodChange = {
  readonly q?: string;
  /** Name of a parameter or column → name of a type, with [] for arrays */
  readonly type_hints?: Readonly<Record<string, string>> | null;
  /** Name of a parameter or column → pattern of dates and times in the letters of PHP's date() */
  readonly type_formats?: Readonly<Record<string, string>> | null;
  /** Default json */
  readonly output_format?:
    | "json"
    | "csv"
    | "tsv"
    | "ndjson"
    | "jsonseq"
    | "geojson"
    | "jsonfg"
    | "geopackage"
    | "parquet"
    | "arrow"
    | "excel"
    | "markdown";
  /** EPSG code of geometries in the result; default 4326 */
  readonly srs?: number;
  readonly description?: string | null;
  readonly timeout_ms?: number | null;
  readonly max_rows?: number | null;
  readonly cache_seconds?: number | null;
  /** Whether others may call it; for super users */
  readonly published?: boolean;
  /** Taken without effect; `notes` says so */
  readonly base64?: unknown;
  /** Taken without effect; `notes` says so */
  readonly convert_types?: unknown;
};

export type WantedRows = {
  /** Default json, an array of objects. geojson, geojsonseq, flatgeobuf, geopackage, parquet and arrow take the first column of geometries, which the last three do not need */
  readonly format?:
    | "json"
    | "csv"
    | "tsv"
    | "ndjson"
    | "jsonseq"
    | "geojson"
    | "geojsonseq"
    | "jsonfg"
    | "flatgeobuf"
    | "kml"
    | "geopackage"
    | "parquet"
    | "arrow"
    | "excel"
    | "markdown"
    | "fgb"
    | "gpkg";
  /** Which rows, in the filter language of GraphQL: {"population": {"gt": 1000000}}; default all */
  readonly where?: Readonly<Record<string, unknown>>;
  /** As in GraphQL: {"name": "desc"} or a list of these. Rows with equal values, and all rows by default, are in the order of the key */
  readonly orderBy?: Readonly<Record<string, unknown>> | readonly Readonly<Record<string, unknown>>[];
  /** Their names, or those of their fields in GraphQL, in this order; default all that the account may read */
  readonly columns?: readonly string[];
  /** The largest number of rows; default all */
  readonly limit?: number;
  /** EPSG code of geometries; default 4326 */
  readonly srs?: number;
  /** The rows as they were at this instant, of a table whose history is kept */
  readonly asOf?: string;
};

export type Replacement = {
  /** Plain text; with regex a regular expression of PostgreSQL */
  readonly find: string;
  /** What stands there instead. With regex, \1 to \9 are groups of the match, and \& is all of it */
  readonly replacement: string;
  /** Where to look; default all columns of text that the account may read and write */
  readonly columns?: readonly string[];
  /** Which rows, in the filter language of GraphQL: {"population": {"gt": 1000000}}; default all */
  readonly where?: Readonly<Record<string, unknown>>;
  /** Default false */
  readonly regex?: boolean;
  /** Default true */
  readonly matchCase?: boolean;
  /** Of an answer with dry=true: 409 where the rows that have the text are others by now, or have other texts */
  readonly version?: string;
};

export type Replaced = {
  /** Where it looked */
  readonly columns: readonly string[];
  /** How many rows have the text */
  readonly found: number;
  /** How many of them are changed: the account may read the others and not write them, by row security */
  readonly changed: number;
  readonly version: string;
  /** The first 20 that have it, in the order of the key, with the columns that have it */
  readonly rows: readonly {
    readonly key: string;
    readonly before: Readonly<Record<string, string>>;
    readonly after: Readonly<Record<string, string>>;
  }[];
  /** Of the changed rows, at most 1,000 */
  readonly keys: readonly string[];
};

/** RFC 6749 §5.2 */
export type OAuthError = {
  readonly error: string;
  readonly error_description: string;
};

/** RFC 6749 §5.1 */
export type TokenResponse = {
  readonly access_token: string;
  readonly token_type: "Bearer" | "DPoP";
  /** Seconds */
  readonly expires_in: number;
  readonly refresh_token?: string;
  readonly id_token?: string;
  readonly scope?: string;
  readonly issued_token_type?: string;
};

/** RFC 7591 §2. Members that are not known have no effect */
export type ClientMetadata = {
  readonly redirect_uris?: readonly string[];
  readonly token_endpoint_auth_method?: "none" | "client_secret_basic" | "client_secret_post" | "private_key_jwt";
  readonly token_endpoint_auth_signing_alg?: "ES256" | "PS256" | "RS256";
  readonly jwks?: {
    readonly keys: readonly {
      readonly kty: "EC" | "RSA" | "OKP";
    }[];
  };
  readonly jwks_uri?: string;
  readonly dpop_bound_access_tokens?: boolean;
  readonly require_pushed_authorization_requests?: boolean;
  readonly grant_types?: readonly string[];
  readonly response_types?: readonly string[];
  readonly client_name?: string;
  readonly client_uri?: string;
  readonly logo_uri?: string;
  readonly tos_uri?: string;
  readonly policy_uri?: string;
  readonly scope?: string;
  readonly contacts?: readonly string[];
  readonly software_id?: string;
  readonly software_version?: string;
  readonly application_type?: "web" | "native";
  readonly initiate_login_uri?: string;
  readonly default_max_age?: number;
  readonly require_auth_time?: boolean;
  readonly default_acr_values?: readonly string[];
  readonly id_token_signed_response_alg?: "ES256" | "RS256";
  readonly userinfo_signed_response_alg?: "ES256" | "RS256";
  readonly subject_type?: "public" | "pairwise";
  readonly sector_identifier_uri?: string;
  readonly post_logout_redirect_uris?: readonly string[];
  readonly backchannel_logout_uri?: string;
  readonly backchannel_logout_session_required?: boolean;
};

export type RegisteredClient = ClientMetadata & {
  readonly client_id: string;
  readonly client_id_issued_at: number;
  readonly client_secret?: string;
  readonly client_secret_expires_at?: number;
  readonly registration_access_token: string;
  readonly registration_client_uri: string;
};

export type SqlStatement = {
  readonly q: string;
  /** Parameters by name; an array of such objects runs the statement once for each */
  readonly params?: Readonly<Record<string, unknown>> | readonly unknown[];
  /** Name of a parameter or column → name of a type, with [] for arrays */
  readonly type_hints?: Readonly<Record<string, string>> | null;
  /** Name of a parameter or column → pattern of dates and times in the letters of PHP's date() */
  readonly type_formats?: Readonly<Record<string, string>> | null;
  /** Default json */
  readonly output_format?:
    | "json"
    | "csv"
    | "tsv"
    | "ndjson"
    | "jsonseq"
    | "geojson"
    | "jsonfg"
    | "geopackage"
    | "parquet"
    | "arrow"
    | "excel"
    | "markdown";
  /** EPSG code of geometries in the result; default 4326 */
  readonly srs?: number;
  readonly timeout_ms?: number | null;
  readonly max_rows?: number | null;
  /** plan: how PostgreSQL would run it; analyze: it is run, and rolled back. The answer has the plan in place of rows */
  readonly explain?: "plan" | "analyze";
  /** It is run, answered as ever, and rolled back; in a list true for all or for none. Default false */
  readonly dry?: boolean;
  /** Taken without effect; `notes` says so */
  readonly base64?: unknown;
  /** Taken without effect; `notes` says so */
  readonly convert_types?: unknown;
};

export type Explained = {
  /** That of EXPLAIN (FORMAT JSON): Plan, with its Plans, and times */
  readonly plan: Readonly<Record<string, unknown>>;
  /** What a rollback cannot undo */
  readonly notes?: readonly string[];
};

export type Result = {
  readonly schema: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly array: boolean;
      }
    >
  >;
  readonly format?: string;
  readonly data: readonly Readonly<Record<string, unknown>>[] | string;
  readonly affected_rows?: number;
  /** Of a dry run: what a rollback cannot undo */
  readonly notes?: readonly string[];
  /** Of a dry run of a definition: the types of the parameters */
  readonly input_schema?: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly array: boolean;
        /** As TypeScript writes it, null included */
        readonly typescript: string;
        readonly optional?: boolean;
      }
    >
  >;
  /** Of a dry run of a definition: the types of the columns */
  readonly output_schema?: Readonly<
    Record<
      string,
      {
        readonly type: string;
        readonly array: boolean;
        /** As TypeScript writes it, null included */
        readonly typescript: string;
        readonly optional?: boolean;
      }
    >
  >;
};

export type MethodDraft = {
  readonly q: string;
  /** Name of a parameter or column → name of a type, with [] for arrays */
  readonly type_hints?: Readonly<Record<string, string>> | null;
  /** Name of a parameter or column → pattern of dates and times in the letters of PHP's date() */
  readonly type_formats?: Readonly<Record<string, string>> | null;
  /** Default json */
  readonly output_format?:
    | "json"
    | "csv"
    | "tsv"
    | "ndjson"
    | "jsonseq"
    | "geojson"
    | "jsonfg"
    | "geopackage"
    | "parquet"
    | "arrow"
    | "excel"
    | "markdown";
  /** EPSG code of geometries in the result; default 4326 */
  readonly srs?: number;
  readonly timeout_ms?: number | null;
  readonly max_rows?: number | null;
  /** Taken without effect; `notes` says so */
  readonly base64?: unknown;
  /** Taken without effect; `notes` says so */
  readonly convert_types?: unknown;
};

export type DryRunRequest = JsonRpcRequest & {
  /** The method to try. It need not be stored, and a stored method does not change. Without params nothing is run, and the answer has the types alone */
  readonly definition?: MethodDraft;
};

export type JsonRpcRequest = {
  readonly jsonrpc: "2.0";
  readonly method: string;
  /** By name, by position, or an array of objects: one run for each */
  readonly params?: Readonly<Record<string, unknown>> | readonly unknown[];
  /** Absent: a notification */
  readonly id?: string | number | null;
};

export type JsonRpcResponse = {
  readonly jsonrpc: "2.0";
  readonly id: string | number | null;
  readonly result?: Result;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data?: Readonly<Record<string, unknown>>;
  };
};

/** RFC 9457 */
export type Problem = {
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  readonly code: string;
  /** The same as detail */
  readonly message: string;
  readonly sqlstate?: string;
  readonly errors?: readonly {
    readonly pointer?: string;
    readonly detail?: string;
  }[];
};

export type Links = {
  readonly _links: {
    readonly self: string;
  };
};
