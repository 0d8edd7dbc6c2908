/** Panels of public dashboards: SQL that an account saved, run as anonymous for every viewer. */
import type { Database, Identity } from "../../kernel/database/database.ts";
import { answerAgentSql } from "./agentSql.ts";
import type { MethodsOfDatabase } from "./execution.ts";
import type { PanelRows } from "./panelCache.ts";

/** One panel: its statement, and the values of its parameters by name. */
export interface PanelSql {
  readonly sql: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** A panel has at most this many rows, and its rows this many bytes of JSON. Further rows are left out. */
const MAX_ROWS = 1000;
const MAX_BYTES = 500_000;

/**
 * The rows of a panel, at most `panelSeconds` old, under the rights of the last five seconds. It runs as an agent's SQL does, without the
 * address of a visitor, so that all have the same result: a rule that allows an address does not count, one that denies or
 * limits one does.
 */
export async function answerPanel(of: MethodsOfDatabase, identity: Identity, panel: PanelSql): Promise<PanelRows> {
  const { panelSeconds, panelTimeoutMs: timeoutMs } = of.options;
  const asked = { ...panel, offset: 0, maxRows: MAX_ROWS, maxBytes: MAX_BYTES, timeoutMs };
  const rights = await of.panels.rights(() => readRights(of.database, identity));
  const key = JSON.stringify([rights, panel.sql, panel.params]);
  return of.panels.rows(key, panelSeconds, () => answerAgentSql(of, { identity }, asked));
}

/**
 * A text that changes with every grant, policy, rule, view and function of the database, and with the roles of which
 * the identity's role is a member. The exposed schemas are watched anyway, but a statement may read others.
 */
async function readRights({ db }: Database, { role }: Identity): Promise<string> {
  const { rights } = await db.one<{ rights: string }>(
    `
select md5(concat_ws(' ',
  (select r.generation from portolan.rule_generation r),
  (select string_agg(r.oid::text, ',' order by r.oid) from pg_roles r where pg_has_role($1, r.oid, 'member')),
  (select string_agg(concat_ws('.', n.oid, n.xmin), ',' order by n.oid) from pg_namespace n where n.nspacl is not null),
  (select string_agg(concat_ws('.', c.oid, c.xmin), ',' order by c.oid) from pg_class c
   where c.relkind in ('r', 'v', 'm', 'f', 'p') and c.relpersistence <> 't'),
  (select string_agg(concat_ws('.', a.attrelid, a.attnum, a.attacl::text), ',' order by a.attrelid, a.attnum)
   from pg_attribute a where a.attacl is not null),
  (select string_agg(concat_ws('.', p.oid, p.xmin), ',' order by p.oid) from pg_policy p),
  (select string_agg(concat_ws('.', r.oid, r.xmin), ',' order by r.oid) from pg_rewrite r where r.oid >= 16384),
  (select string_agg(concat_ws('.', p.oid, p.xmin), ',' order by p.oid) from pg_proc p where p.oid >= 16384))) as rights`,
    [role],
  );
  return rights;
}
