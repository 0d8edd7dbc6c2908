/** Panels of public dashboards: SQL that an account saved, run as anonymous for everybody who looks. */
import type { Identity } from "../../kernel/database/database.ts";
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
 * The rows of a panel, at most `panelSeconds` old. It runs as an agent's SQL does, without the address of a visitor, so that
 * all have the same result: a rule that allows an address does not count, one that denies or limits one does.
 */
export function answerPanel(of: MethodsOfDatabase, identity: Identity, panel: PanelSql): Promise<PanelRows> {
  const { panelSeconds, panelTimeoutMs: timeoutMs } = of.options;
  const asked = { ...panel, offset: 0, maxRows: MAX_ROWS, maxBytes: MAX_BYTES, timeoutMs };
  const key = JSON.stringify([panel.sql, panel.params]);
  return of.panels.rows(key, panelSeconds, () => answerAgentSql(of, { identity }, asked));
}
