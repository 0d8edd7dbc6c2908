/** A dashboard for everybody. All requests are anonymous, even if the browser is signed in. */
import { useQuery } from "@tanstack/react-query";
import { publicDashboardText, publicDatabase } from "../../service/http/address.ts";
import { askAsNobody, PublicError } from "../../service/http/askAsNobody.ts";
import { parseExact } from "../../service/http/exactJson.ts";
import type { DashboardPanel } from "../../service/dashboards.ts";
import type { Result } from "../../service/sql/results.ts";
import { PanelFrame } from "../../ui/results/PanelFrame.tsx";
import { ShownResult } from "../../ui/results/ShownResult.tsx";
import { SHOWS } from "../../ui/results/shows.ts";
import { t } from "../../words/words.ts";

type Shape = Omit<DashboardPanel, "q" | "params">;

const dashboard = JSON.parse(publicDashboardText!) as {
  readonly name: string;
  readonly title: string | null;
  readonly panels: readonly Shape[];
};
const path = `/dashboards/${encodeURIComponent(publicDatabase!)}/${dashboard.name}/panels`;

/** A screen on a wall stays up to date. */
const RELOAD_MS = 60_000;

const REASONS: Readonly<Record<string, string>> = {
  FORBIDDEN: t("This panel shows data that needs an account."),
  TIMEOUT: t("This panel took too long."),
  LIMIT_EXCEEDED: t("This panel has too much data to show here."),
  CONFLICT: t("The statement of this panel fails here."),
  NOT_FOUND: t("This panel no longer exists."),
};

export function PublicDashboard() {
  const { name, title, panels } = dashboard;
  return (
    <main className="public-dashboard dashboard">
      <h1>{title ?? name}</h1>
      {panels.length === 0 && <p className="empty">{t("Nothing is on it yet.")}</p>}
      <div className="panels">
        {panels.map((shape, index) => (
          <PublicPanel key={index} number={index + 1} shape={shape} />
        ))}
      </div>
    </main>
  );
}

/** `shape`: as it was when the page was loaded. */
function PublicPanel({ number, shape: before }: { readonly number: number; readonly shape: Shape }) {
  const { data, error, isPending } = useQuery({
    queryKey: ["panel", number],
    queryFn: async ({ signal }) => {
      const response = await askAsNobody(`${path}/${number}`, { signal });
      return parseExact<Shape & Pick<Result, "schema" | "data"> & { readonly more: boolean }>(await response.text());
    },
    refetchInterval: RELOAD_MS,
    retry: false,
  });
  const shape = data ?? before;
  const heading = shape.title ?? SHOWS[shape.show];
  return (
    <PanelFrame heading={heading} isWide={shape.wide ?? false}>
      {error && <p className="quiet">{reasonOf(error)}</p>}
      {isPending && <p className="quiet">…</p>}
      {data && !error && <ShownResult result={data} {...shape} title={heading} hasTypes={false} />}
      {data?.more && !error && (
        <p className="quiet">{t("The first {count} rows.", { count: (data.data as readonly unknown[]).length })}</p>
      )}
    </PanelFrame>
  );
}

function reasonOf(error: Error): string {
  return (error instanceof PublicError && REASONS[error.code ?? ""]) || error.message;
}
