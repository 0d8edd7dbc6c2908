/** Whether people may sign up in a database, and with which group. */
import type { Finding } from "../ground/finding.ts";
import type { Config } from "../kernel/config.ts";
import type { Database } from "../kernel/database/database.ts";
import type { OAuthContext } from "./context.ts";

/** Whether people may sign up by mail: not where no mail is sent. */
export async function signUpMode(context: OAuthContext): Promise<"off" | "invite" | "open"> {
  return context.kernel.mail ? modeOf(context) : "off";
}

/**
 * Whether a new account would miss the group of the option `signUpGroup`; the log then says so. No account is made in
 * that case, because it would have other rights than the operator intends.
 */
export async function lacksSignUpGroup({ kernel, database }: OAuthContext): Promise<boolean> {
  const { signUpGroup } = kernel.config;
  if (signUpGroup === undefined) return false;
  const { problem } = await database.db.one<{ problem: string | null }>(
    "select portolan.group_problem($1) as problem",
    [signUpGroup],
  );
  if (problem !== null)
    kernel.log.error({ database: database.name, signUpGroup, problem }, "nobody can sign up: make the group");
  return problem !== null;
}

/** For `doctor`: whether the groups that the options name for new people exist. */
export async function groupFindings(
  { db }: Database,
  { signUpGroup, identityProviders }: Pick<Config, "signUpGroup" | "identityProviders">,
): Promise<readonly Finding[]> {
  const mapped = identityProviders.flatMap(({ id, mapGroups }) =>
    Object.values(mapGroups).map((group) => ({ group, of: `mapGroups of ${id}`, page: "company.md" })),
  );
  const named = [
    ...(signUpGroup === undefined
      ? []
      : [{ group: signUpGroup, of: "SIGN_UP_GROUP", page: "access.md#mail", severity: "error" as const }]),
    ...mapped.filter(({ group }, index) => mapped.findIndex((other) => other.group === group) === index),
  ];
  const rows = await db.any<{ problem: string | null }>(
    "select portolan.group_problem(g.name) as problem from unnest($1::text[]) with ordinality g (name, place) order by place",
    [named.map(({ group }) => group)],
  );
  return named.map(({ group, of, ...finding }, index) => {
    const problem = rows[index]?.problem ?? null;
    const ok = problem === null;
    const consequence = of === "SIGN_UP_GROUP" ? "nobody can sign up" : "nobody is put into it";
    return {
      severity: "warning",
      ...finding,
      ok,
      text: ok ? `${of}: the group ${group} exists` : `${of}: ${problem}: ${consequence}`,
      remedy: [`npx portolan user create ${group}, or name another group`],
    };
  });
}

/** Whether new people may have accounts, however they prove their identity. */
export async function signUpIsOpen(context: OAuthContext): Promise<boolean> {
  return (await modeOf(context)) === "open";
}

/** The mode of sign-up: the super users' member `allow_signup`, else the option. */
async function modeOf({ kernel, database }: OAuthContext): Promise<"off" | "invite" | "open"> {
  const { allowed } = await database.db.one<{ allowed: boolean | null }>("select portolan.sign_up_of() as allowed");
  if (allowed === null) return kernel.config.signUp;
  return allowed ? "open" : "off";
}
