/**
 * All options in one list: `graphile.config.ts` (scope `portolan`) and the environment, resolved once at start. `config/` has
 * a file for each subject; defaults, checks and the reference are made of the list.
 */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { z } from "zod";
import { databaseNameOf } from "./connectionString.ts";
import { OperatorError } from "../ground/errors.ts";
import { LISTENING } from "./config/listening.ts";
import { DATABASES, isPatternName } from "./config/databases.ts";
import { EVENTS } from "./config/events.ts";
import { OPERATING } from "./config/operating.ts";
import { ACCOUNTS } from "./config/accounts.ts";
import { GRAPHQL } from "./config/graphql.ts";
import { MAIL } from "./config/mail.ts";
import { MAPS } from "./config/maps.ts";
import { OGC, ogc } from "./config/ogc.ts";
import { AGENTS } from "./config/agents.ts";
import type { Option } from "./config/kinds.ts";
import { misspelt } from "./config/misspelt.ts";

/** All options. To add one, add a line in the file of its subject. docs/reference/options.md is generated from them. */
const OPTIONS = {
  ...LISTENING,
  ...DATABASES,
  ...EVENTS,
  ...OPERATING,
  ...ACCOUNTS,
  ...MAIL,
  ...GRAPHQL,
  ...MAPS,
  ...OGC,
  ...AGENTS,
} as const satisfies Record<string, Option>;

/** Options that have no effect without NATS. */
const NATS_OPTIONS = {
  NATS_CREDENTIALS: "natsCredentials",
  NATS_TLS_CA: "natsTlsCa",
  NATS_TLS_CERT: "natsTlsCert",
} as const;

type OptionName = keyof typeof OPTIONS;
type Values = { readonly [Name in OptionName]: z.infer<(typeof OPTIONS)[Name]["schema"]> };

/** The form in `graphile.config.ts`; options that environment variables convert have their own type there. */
type Written<Schema extends z.ZodType> = unknown extends z.input<Schema> ? z.output<Schema> : z.input<Schema>;

/** The scope `portolan` of a preset. */
export type PortolanOptions = { readonly [Name in OptionName]?: Written<(typeof OPTIONS)[Name]["schema"]> | undefined };

declare global {
  namespace GraphileConfig {
    interface Preset {
      /** Options of the gateway, in `graphile.config.ts`. */
      portolan?: PortolanOptions | undefined;
    }
  }
}

export interface DatabaseConfig {
  readonly name: string;
  readonly url: string;
  readonly ownerUrl: string;
  /** The same through a pooler in transaction mode, for requests; `url` is then the one without it. */
  readonly pooledUrl?: string | undefined;
  /** Its standbys, from which requests may be read. */
  readonly replicaUrls?: readonly string[] | undefined;
  /** Whether it has the client `gc2-cli` when it is new. Default false. */
  readonly legacyClient?: boolean | undefined;
}

export interface Config extends Omit<
  Values,
  | "databases"
  | "databaseUrl"
  | "ownerDatabaseUrl"
  | "directDatabaseUrl"
  | "replicaUrls"
  | "pooler"
  | "baseUrl"
  | "mcp"
  | "mcp"
> {
  /** Set, or undefined for `http(s)://host:port` of the listening socket. */
  readonly baseUrl: string | undefined;
  /** Whether the agents' door is open. */
  readonly mcp: boolean;
  /** Empty: the private cluster with the demo. */
  readonly databases: readonly DatabaseConfig[];
  /**
   * Each stands for all other databases of a cluster: its connection strings have `/*` in place of the name. If a name
   * is in two clusters, the earlier pattern serves it.
   */
  readonly patterns: readonly DatabaseConfig[];
  /** Environment variables that look like ours but are not options. `start` and `doctor` name them. */
  readonly warnings: readonly string[];
  /** Presets of the user, whose plugins join every GraphQL schema. */
  readonly preset: GraphilePreset;
}

/** The part of a Graphile preset that matters here; the GraphQL door passes it on unchanged. */
export interface GraphilePreset {
  readonly extends?: readonly unknown[];
  readonly plugins?: readonly unknown[];
  readonly disablePlugins?: readonly string[];
  readonly [scope: string]: unknown;
}

/** A configuration that is not valid, with all problems, one line each. */
export class ConfigError extends OperatorError {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];
  constructor(problems: readonly string[], options?: ErrorOptions) {
    super(`The configuration is not valid:\n${problems.map((problem) => `  - ${problem}`).join("\n")}`, options);
    this.problems = problems;
  }
}

export interface ConfigSources {
  /** Default `process.env`. */
  readonly env?: Readonly<Record<string, string | undefined>>;
  /** Folder of `graphile.config.*`; default the working directory. */
  readonly directory?: string;
}

/** Reads `graphile.config.ts` and the environment. Throws `ConfigError` with all problems. */
export async function loadConfig({
  env = process.env,
  directory = process.cwd(),
}: ConfigSources = {}): Promise<Config> {
  return resolveConfig(await loadPreset(directory), env);
}

/** The configuration of these options alone, as a test or an embedding program writes it. */
export function makeConfig(options: Partial<Record<OptionName, unknown>> = {}): Config {
  return resolveConfig({ portolan: options }, {});
}

/** The rows of docs/reference/options.md. */
export function describeOptions(): readonly { name: string; env: string; default: string; doc: string }[] {
  return Object.entries<Option>(OPTIONS).map(([name, option]) => ({
    name,
    env: variableOf(name, option),
    default: option.default === undefined ? "" : JSON.stringify(option.default),
    doc: option.doc,
  }));
}

const CONFIG_FILES = ["ts", "mts", "js", "mjs"].map((extension) => `graphile.config.${extension}`);

async function loadPreset(directory: string): Promise<GraphilePreset> {
  const file = CONFIG_FILES.map((name) => resolve(directory, name)).find(existsSync);
  if (!file) return {};
  try {
    const module = (await import(pathToFileURL(file).href)) as { default?: unknown };
    if (typeof module.default !== "object" || module.default === null)
      throw new Error("it has no preset as default export");
    return module.default as GraphilePreset;
  } catch (error) {
    throw new ConfigError([`${file} cannot be read: ${error instanceof Error ? error.message : String(error)}`], {
      cause: error,
    });
  }
}

/** A database as it was configured; without a name where the connection string has it. */
type GivenDatabase = Pick<DatabaseConfig, "name" | "url" | "replicaUrls"> & {
  ownerUrl?: string | undefined;
  directUrl?: string | undefined;
};

/** The problems of connection strings where some are patterns and others are not. */
function mixedPatterns(given: readonly GivenDatabase[]): string[] {
  const problems: string[] = [];
  for (const { name, url, ownerUrl = url, directUrl = url, replicaUrls: replicas = [] } of given)
    for (const one of [url, ownerUrl, directUrl, ...replicas])
      if ((databaseNameOf(one) === "*") !== (isPatternName(name) || (name === "" && databaseNameOf(url) === "*")))
        problems.push(`${name === "" ? "DATABASE_URL" : `portolan.databases.${name}`}: all or none may end with /*`);
  return problems;
}

function resolveConfig(preset: GraphilePreset, env: Readonly<Record<string, string | undefined>>): Config {
  const problems: string[] = [];
  const { portolan = {}, ...graphile } = preset;
  if (typeof portolan !== "object" || portolan === null) throw new ConfigError(["portolan: must be an object"]);
  const written = portolan as Record<string, unknown>;
  for (const name of Object.keys(written))
    if (!Object.hasOwn(OPTIONS, name)) problems.push(`portolan.${name}: there is no such option`);

  const values: Record<string, unknown> = {};
  for (const [name, option] of Object.entries<Option>(OPTIONS)) {
    const variable = variableOf(name, option);
    const text = env[variable];
    const fromEnv = text !== undefined && text !== "";
    const value = fromEnv ? text : name === "ogc" ? withVariables(written[name], env) : written[name];
    const parsed = option.schema.safeParse(value ?? option.default);
    if (parsed.success) values[name] = parsed.data;
    else
      for (const issue of parsed.error.issues)
        problems.push(`${[fromEnv ? variable : `portolan.${name}`, ...issue.path].join(".")}: ${explain(issue)}`);
  }
  const {
    databaseUrl,
    ownerDatabaseUrl,
    directDatabaseUrl,
    replicaUrls,
    pooler,
    databases: several,
    ...rest
  } = values as Values;
  problems.push(...halves(values));
  if (values["defaultLimit"] && values["maxLimit"] && Number(values["defaultLimit"]) > Number(values["maxLimit"]))
    problems.push("portolan.defaultLimit: is over portolan.maxLimit");
  if (databaseUrl && Object.keys(several ?? {}).length > 0)
    problems.push("DATABASE_URL and portolan.databases: give one of them");
  if (values["trustedDocumentsOnly"] && !values["trustedDocuments"])
    problems.push("TRUSTED_DOCUMENTS_ONLY: needs TRUSTED_DOCUMENTS");
  if (ownerDatabaseUrl && !databaseUrl) problems.push("OWNER_DATABASE_URL: needs DATABASE_URL");
  if (replicaUrls?.length && !databaseUrl) problems.push("REPLICA_URLS: needs DATABASE_URL");
  const given: GivenDatabase[] = databaseUrl
    ? [{ name: "", url: databaseUrl, ownerUrl: ownerDatabaseUrl, directUrl: directDatabaseUrl, replicaUrls }]
    : Object.entries(several ?? {}).map(([name, value]) => ({
        name,
        ...(typeof value === "string" ? { url: value } : value),
      }));
  for (const { name, directUrl } of given) {
    const option = name === "" ? "DIRECT_DATABASE_URL" : `portolan.databases.${name}.directUrl`;
    if (pooler === "transaction" && !directUrl)
      problems.push(`${option}: POOLER=transaction needs it, for work that needs sessions of its own`);
    if (pooler === "none" && directUrl) problems.push(`${option}: needs POOLER=transaction`);
  }
  problems.push(...mixedPatterns(given));
  if (problems.length > 0) throw new ConfigError(problems);
  const resolved = given.map(({ name, url, ownerUrl, directUrl = url, replicaUrls: replicas = [] }) => ({
    name: name || databaseNameOf(directUrl),
    url: directUrl,
    ownerUrl: ownerUrl ?? directUrl,
    ...(pooler === "transaction" && { pooledUrl: url }),
    ...(replicas.length > 0 && { replicaUrls: replicas }),
    ...(rest.legacyClient && { legacyClient: true }),
  }));

  return deepFreeze({
    ...rest,
    baseUrl: (values as Values).baseUrl,
    // the demo has both, so that an agent connects to it at once
    mcp: rest.mcp ?? given.length === 0,
    registration: rest.registration ?? (given.length === 0 ? "open" : "off"),
    databases: resolved.filter(({ name }) => !isPatternName(name)),
    patterns: resolved.filter(({ name }) => isPatternName(name)),
    warnings: misspelt(env, VARIABLES),
    preset: graphile as GraphilePreset,
  });
}

/** Options that need another one. */
function halves(values: Readonly<Record<string, unknown>>): string[] {
  const problems: string[] = [];
  if (Boolean(values["tlsCert"]) !== Boolean(values["tlsKey"]))
    problems.push("TLS_CERT and TLS_KEY: one needs the other");
  if (Boolean(values["natsTlsCert"]) !== Boolean(values["natsTlsKey"]))
    problems.push("NATS_TLS_CERT and NATS_TLS_KEY: one needs the other");
  for (const [variable, name] of Object.entries(NATS_OPTIONS))
    if (values[name] && (values["natsUrl"] as string[] | undefined)?.length === 0)
      problems.push(`${variable}: needs NATS_URL`);
  if (values["smtpUrl"] && values["smtpUrl"] !== "log:" && !values["mailFrom"])
    problems.push("SMTP_URL: needs MAIL_FROM");
  return problems;
}

/** `poolSize` → `POOL_SIZE`. */
function inCapitals(name: string): string {
  return name.replace(/[A-Z]/g, "_$&").toUpperCase();
}

function variableOf(name: string, { env }: Option): string {
  return env ?? inCapitals(name);
}

/** `mapCrs` → `OGC_MAP_CRS`. */
function ogcVariable(name: string): string {
  return `OGC_${inCapitals(name)}`;
}

/** The names of all variables that are options. */
const VARIABLES = [
  ...Object.entries<Option>(OPTIONS).map(([name, option]) => variableOf(name, option)),
  ...Object.keys(ogc.shape).map(ogcVariable),
];

/** The options of the OGC API, each of which is a variable too; the environment wins. */
function withVariables(given: unknown, env: Readonly<Record<string, string | undefined>>): unknown {
  const texts = Object.keys(ogc.shape).flatMap((name) => {
    const text = env[ogcVariable(name)];
    return text === undefined || text === "" ? [] : [[name, text]];
  });
  return texts.length === 0 ? given : { ...(given as object | undefined), ...Object.fromEntries(texts) };
}

/** Zod's own messages name types; these say what to write. */
function explain(issue: z.core.$ZodIssue): string {
  if (issue.code === "invalid_type") return `must be ${/^[aeiou]/.test(issue.expected) ? "an" : "a"} ${issue.expected}`;
  return issue.message.charAt(0).toLowerCase() + issue.message.slice(1);
}

/** Plugins are shared objects of other packages, so they are not changed. */
function deepFreeze(config: Config): Config {
  for (const [name, value] of Object.entries(config))
    if (name !== "preset" && typeof value === "object" && value !== null) Object.freeze(value);
  return Object.freeze(config);
}
