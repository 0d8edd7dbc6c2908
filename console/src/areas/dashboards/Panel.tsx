/** One panel. Its statement runs with the rights of the viewer. */
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import type { DashboardPanel } from "../../service/dashboards.ts";
import { runStatements } from "../../service/sql/statements.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { PanelFrame } from "../../ui/results/PanelFrame.tsx";
import { ShownResult } from "../../ui/results/ShownResult.tsx";
import { SHOWS } from "../../ui/results/shows.ts";

const FRESH_MS = 60_000;

export interface PanelProps {
  readonly panel: DashboardPanel;
  /** Tools for those who may change it. */
  readonly tools: ReactNode;
}

export function Panel({ panel, tools }: PanelProps) {
  const { q, params, title, show, wide } = panel;
  const { data, error, isPending } = useQuery({
    queryKey: ["panel", q, params],
    queryFn: async () => (await runStatements([{ text: q, params: params ?? {} }], false))[0]!,
    staleTime: FRESH_MS,
    retry: false,
  });
  const heading = title ?? SHOWS[show];
  return (
    <PanelFrame heading={heading} isWide={wide ?? false} tools={tools}>
      <ErrorNote error={error} />
      {isPending && <p className="quiet">…</p>}
      {data && <ShownResult result={data} {...panel} title={heading} />}
    </PanelFrame>
  );
}
