/** A part of Home: its title, its actions, and an error in place of content that cannot be read. */
import type { ReactNode } from "react";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { t } from "../../words/words.ts";

export interface PartProps {
  /** Id of the heading in the page. */
  readonly id: string;
  readonly title: string;
  readonly hint?: string | undefined;
  /** The query of its content, which can be repeated. */
  readonly query: { readonly error: Error | null; readonly isFetching: boolean; refetch(): Promise<unknown> };
  /** The texts of its reload button, idle and while loading. */
  readonly reload?: readonly [idle: string, busy: string];
  /** Content in front of the reload button. */
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

const RELOAD = [t("Reload"), t("Reload")] as const;

export function Part({ id, title, hint, query, reload = RELOAD, tools, children }: PartProps) {
  const { error, isFetching, refetch } = query;
  return (
    <section aria-labelledby={id} className="card">
      <div className="head">
        <h2 id={id}>{title}</h2>
        {hint !== undefined && <span className="quiet">{hint}</span>}
        <span className="tools">
          {tools}
          <button type="button" aria-disabled={isFetching} onClick={() => void refetch()}>
            {reload[isFetching ? 1 : 0]}
          </button>
        </span>
      </div>
      <ErrorNote error={error} />
      {children}
    </section>
  );
}
