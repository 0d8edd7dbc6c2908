/**
 * `/dashboards/{database}/{name}`: a dashboard that is shared with everybody, and `/panels/{number}` below it: the result of
 * one panel. Visitors name panels by their number. The statements stay in the service.
 */
import type { Identity } from "../kernel/database/database.ts";
import { GatewayError, toGatewayError, type ErrorCode } from "../ground/errors.ts";
import { isTransient } from "../ground/retry.ts";
import { html } from "../kernel/http/html.ts";
import { sendText } from "../kernel/http/answer.ts";
import { queryOf, type Route } from "../kernel/http/routes.ts";
import { readPublic, sendPublicPage, type PublicKernel, type PublicKind } from "./publicPage.ts";

const DASHBOARD: PublicKind = { noun: "dashboard", table: "dashboards", columns: "name, title, panels" };

interface Panel {
  readonly q: string;
  readonly params?: Readonly<Record<string, unknown>> | null;
  readonly show: string;
  readonly title?: string | null;
  readonly x?: string | null;
  readonly y?: string | null;
  readonly wide?: boolean | null;
}

interface PublicDashboard {
  readonly name: string;
  readonly title: string | null;
  readonly panels: readonly Panel[];
}

/** Runs a panel as anonymous, or returns its result of a moment ago. */
export type RunPanel = (
  identity: Identity,
  panel: { readonly sql: string; readonly params: Readonly<Record<string, unknown>> },
) => Promise<{ readonly schema: string; readonly rows: readonly string[]; readonly more: boolean }>;

export function publicDashboardRoutes(kernel: PublicKernel, runPanel: RunPanel): readonly Route[] {
  return [
    {
      path: "/dashboards/{database}/{name}",
      summary: "A dashboard that is shared with everybody",
      handlers: {
        async GET(request, response, parameters) {
          const { row } = await readPublic<PublicDashboard>(kernel, request, parameters, DASHBOARD);
          const { name, title } = row;
          const shown = JSON.stringify({ name, title, panels: row.panels.map(shapeOf) });
          sendPublicPage(request, response, kernel, {
            title: title ?? name,
            database: parameters["database"]!,
            script: "publicDashboard",
            data: html`data-dashboard="${shown}"`,
          });
        },
      },
    },
    {
      path: "/dashboards/{database}/{name}/panels/{panel}",
      summary: "The result of a panel of a dashboard that is shared with everybody",
      handlers: {
        async GET(request, response, parameters) {
          for (const name of queryOf(request).keys())
            throw new GatewayError("UNKNOWN_PARAMETER", `There is no parameter ${name}: a panel takes none`);
          const { row, identity } = await readPublic<PublicDashboard>(kernel, request, parameters, DASHBOARD);
          const { panel: number = "" } = parameters;
          const panel = /^[1-9]\d?$/.test(number) ? row.panels[Number(number) - 1] : undefined;
          if (!panel) throw new GatewayError("NOT_FOUND", `The dashboard ${row.name} has no panel ${number}`);
          const { schema, rows, more } = await runPanel(identity, { sql: panel.q, params: panel.params ?? {} }).catch(
            (error: unknown) => {
              throw toVisitor(error);
            },
          );
          const shape = JSON.stringify({ ...shapeOf(panel), more }).slice(0, -1);
          sendText(response, `${shape},"schema":${schema},"data":[${rows.join(",")}]}`, {
            headers: { "Cache-Control": "public, max-age=1" },
          });
        },
      },
    },
  ];
}

/** The public members of a panel: all but its statement. */
function shapeOf({ show, title, x, y, wide }: Panel): Omit<Panel, "q" | "params"> {
  return { show, title: title ?? null, x: x ?? null, y: y ?? null, wide: wide ?? false };
}

const REASONS: Partial<Record<ErrorCode, string>> = {
  FORBIDDEN: "This panel shows what nobody may read without an account",
  TIMEOUT: "This panel took too long",
  LIMIT_EXCEEDED: "This panel has more than can be shown here",
};

/** The message for a visitor. It contains no part of the statement or of PostgreSQL's message. */
function toVisitor(thrown: unknown): GatewayError {
  const error = toGatewayError(thrown);
  if (["UNAVAILABLE", "ACCOUNT_BUSY", "INTERNAL", "UNAUTHENTICATED"].includes(error.code)) return error;
  if (isTransient(thrown)) return new GatewayError("UNAVAILABLE", undefined, { cause: thrown });
  const callsVolatile = error.members["functions"] !== undefined; // a volatile function is not a missing right
  const reason = callsVolatile ? undefined : REASONS[error.code];
  return reason === undefined
    ? new GatewayError("CONFLICT", "The statement of this panel does not work here", { cause: thrown })
    : new GatewayError(error.code, reason, { cause: thrown });
}
