/** The shape of a configuration: names to their settings, in the form of `portolan.configuration()`. */
import { z } from "zod";
import { columnPrivileges } from "./columnPrivilegeShape.ts";
import { mapMembers } from "./mapShape.ts";
import { dashboardMembers } from "./dashboardShape.ts";
import { queryMembers } from "./queryShape.ts";
import { savedName } from "./savedShape.ts";
import { viewMembers } from "./viewShape.ts";
import { accountName } from "./users.ts";

const record = <T extends z.ZodType>(value: T) => z.record(z.string().min(1), value);
const text = z.string().nullable();

const account = z.strictObject({
  email: text.optional(),
  user_group: z.union([text, z.array(z.string())]).optional(),
  default_user: z.boolean().optional(),
  email_verified: z.boolean().optional(),
  two_factor: z.boolean().optional(),
  allow_signup: z.boolean().nullish(),
  social_signup: z.boolean().nullish(),
  properties: z.record(z.string(), z.unknown()).optional(),
  superuser: z.boolean().optional(),
  role: z.string().optional().meta({ description: "An existing PostgreSQL role; not over REST" }),
});

const client = z.strictObject({
  name: z.string().optional(),
  redirect_uri: z.array(z.string()).optional(),
  homepage: text.optional(),
  description: text.optional(),
  public: z.boolean().optional(),
  confirm: z.boolean().optional(),
  grants: z.array(z.string()).optional(),
  refresh_reuse: z.string().optional(),
  account: text.optional(),
  id_token_signed_response_alg: z.string().optional(),
  subject_type: text.optional(),
  sector_identifier_uri: text.optional(),
  post_logout_redirect_uris: z.array(z.string()).optional(),
  backchannel_logout_uri: text.optional(),
  disabled: z.boolean().optional(),
  require_pkce: z.boolean().optional(),
  token_endpoint_auth_method: text.optional(),
  token_endpoint_auth_signing_alg: text.optional(),
  jwks: z.unknown().optional(),
  jwks_uri: text.optional(),
  require_par: z.boolean().optional(),
  dpop_bound_access_tokens: z.boolean().optional(),
  access_token_lifetime_seconds: z.int().optional(),
  refresh_token_lifetime_seconds: z.int().optional(),
  code_lifetime_seconds: z.int().optional(),
  device_code_lifetime_seconds: z.int().optional(),
  device_poll_interval_seconds: z.int().optional(),
});

const rule = z.strictObject({
  priority: z.int().optional(),
  username: z.string().optional(),
  service: z.string().optional(),
  request: z.string().optional(),
  schema: z.string().optional(),
  table: z.string().optional(),
  iprange: z.string().optional(),
  access: z.enum(["allow", "limit", "deny"]).optional(),
  filter: text.optional(),
  mfa: z.boolean().optional(),
});

const table = z.strictObject({
  authentication: z.enum(["None", "Write", "Read/write"]).optional(),
  privileges: z.record(accountName, z.enum(["none", "read", "write", "all"])).optional(),
  column_privileges: z
    .record(accountName, columnPrivileges)
    .optional()
    .meta({ description: "Privileges on single columns, by the names of the columns" }),
  style: z.array(z.unknown()).nullish(),
  styles: z
    .record(
      z.string(),
      z.strictObject({ classes: z.array(z.unknown()), title: text.optional(), default: z.boolean().optional() }),
    )
    .optional()
    .meta({ description: "Styles with names, beside `style`" }),
  events: z.boolean().optional(),
  versioning: z.boolean().optional(),
  workflow: z.boolean().optional(),
  workflow_roles: z.record(accountName, z.enum(["none", "author", "reviewer", "publisher"])).optional(),
});

/** Its parts in the order in which they are written. `methods` is the shape of that part, which is another door's. */
export const configurationShape = (methods: z.ZodType) =>
  z
    .strictObject({
      accounts: z.record(accountName, account).optional(),
      clients: record(client).optional(),
      rules: record(rule).optional().meta({ description: "By their numbers" }),
      methods: methods.optional(),
      rasters: record(z.string()).optional().meta({ description: "The file of each, by schema.name" }),
      queries: z.record(savedName, z.strictObject(queryMembers).partial()).optional(),
      dashboards: z.record(savedName, z.strictObject(dashboardMembers).partial()).optional(),
      maps: z.record(savedName, z.strictObject(mapMembers).partial()).optional(),
      views: z.record(savedName, z.strictObject(viewMembers).partial()).optional(),
      tables: record(table).optional().meta({ description: "The settings of each, by schema.name" }),
    })
    .meta({ title: "Configuration" });

export const PARTS = Object.keys(configurationShape(z.unknown()).shape);

/** One difference from the configuration. */
export const configurationChange = z
  .object({
    kind: z.string(),
    name: z.string(),
    member: z.string(),
    action: z.enum(["create", "change", "remove"]),
    before: z.unknown(),
    after: z.unknown(),
  })
  .meta({ title: "ConfigurationChange" });
