/** Checks of the servers, their certificates, the pooler, and who may log in. */
import type pg from "pg";
import { SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import type { Finding } from "../../ground/finding.ts";
import type { DatabaseConfig } from "../../kernel/config.ts";
import { readConnectionString, withLogin } from "../../kernel/connectionString.ts";
import {
  certificateOf,
  checkServers,
  checkStandbys,
  connectionProblem,
  makeClient,
  poolerFindings,
  poolLoginProblem,
} from "../../kernel/database/database.ts";
import { serverCertificateFindings } from "../certificate.ts";
import { one } from "./check.ts";

export async function connection({ url }: DatabaseConfig): Promise<Finding> {
  const problem = await connectionProblem(url);
  return {
    ok: problem === undefined,
    text: problem?.split(". ")[0] ?? "the connection leads to a primary, and sessions keep their settings",
    remedy: [problem?.split(". ").slice(1).join(". ") ?? ""],
  };
}

/** Each server of the connection string. */
export async function servers({ url }: DatabaseConfig): Promise<Finding[]> {
  return (await checkServers(url)).flatMap(({ server, problem, remedy, isStandby, certificate }) => [
    {
      ok: problem === undefined,
      text: `${server} ${problem ?? `answers, as a ${isStandby ? "standby" : "primary"}`}`,
      remedy: [remedy],
    },
    ...serverCertificateFindings(certificate),
  ]);
}

/** For a single server; several are checked one by one. */
export function certificate({ url }: DatabaseConfig, client: pg.Client): Finding[] {
  return readConnectionString(url).servers.length === 1 ? serverCertificateFindings(certificateOf(client)) : [];
}

/** Each standby. */
export async function standbys({ url, replicaUrls }: DatabaseConfig): Promise<Finding[]> {
  return (await checkStandbys(url, replicaUrls ?? [])).flatMap(
    ({ server, problem, remedy, isForeign, certificate }) => [
      {
        ok: problem === undefined,
        ...(isForeign && { severity: "error" as const }),
        text: `the standby ${server} ${problem ?? "answers, and may be read from"}`,
        remedy: [remedy],
      },
      ...serverCertificateFindings(certificate),
    ],
  );
}

export async function pooler({ url, pooledUrl }: DatabaseConfig): Promise<Finding[]> {
  if (pooledUrl === undefined) return [];
  const findings = await poolerFindings(pooledUrl, url);
  if (findings.length === 0) return [{ ok: true, text: "the pooler is in transaction mode", remedy: [] }];
  return findings.map(({ problem }) => {
    const [what = "", remedy = "look at DATABASE_URL and the pooler's configuration"] = problem.split(/: (?=set )/);
    return { ok: false, text: `the pooler ${what}`, remedy: [remedy] };
  });
}

/** A start reports these findings too. */
export async function poolLogin(client: pg.Client, { url, pooledUrl }: DatabaseConfig): Promise<readonly Finding[]> {
  const { there } = await one<{ there: boolean }>(
    client,
    "select to_regrole(quote_ident(portolan.pool_role())) is not null as there",
  );
  if (!there) return []; // reported with the other roles
  const consequence = "code of trusted owners that requests run can read the signing key";
  if (pooledUrl !== undefined)
    return [{ ok: true, text: `requests go through the pooler on the gateway's login: ${consequence}`, remedy: [] }];
  const problem = await poolLoginProblem(url);
  const ok = problem === undefined;
  const text = ok
    ? "requests have a login of their own, which cannot read the signing key"
    : `PostgreSQL refuses the login of requests, so a process that starts now uses the gateway's own, and one that had it answers 503: ${consequence} (${problem})`;
  return [{ ok, text, remedy: ["in pg_hba.conf, allow the login with scram-sha-256, as for the roles of accounts"] }];
}

/**
 * Connections that are logged in as an account are safe only where a wrong password is refused (pg_hba.conf). Only the
 * refusal of the password itself proves that it was checked: a role that may not log in is refused under `trust` too.
 */
export async function passwordsAreAsked(client: pg.Client, config: DatabaseConfig): Promise<Finding> {
  const { role } = await one<{ role: string }>(
    client,
    "select role from portolan.users order by own_login_version is null, name limit 1",
  );
  const intruder = makeClient({ connectionString: withLogin(config.url, role, "not the password") });
  const refusal: unknown = await intruder.connect().then(
    () => undefined,
    (error: unknown) => error,
  );
  await intruder.end().catch(() => undefined); // it was never connected
  const tried =
    refusal === undefined ? `${role} logged in with a wrong one` : `a wrong one: ${(refusal as Error).message}`;
  const ok = sqlstateOf(refusal) === SQLSTATE.invalidPassword;
  return {
    ok,
    // without the name of the role, which changes when a restored database is repaired
    text: ok ? "a wrong password is refused" : "PostgreSQL does not ask the roles of accounts for passwords",
    remedy: [`in pg_hba.conf, allow roles of accounts with scram-sha-256 only, never with trust or peer (${tried})`],
  };
}
