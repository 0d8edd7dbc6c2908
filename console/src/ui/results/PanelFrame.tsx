/** The frame of a panel of a dashboard: its heading, tools and content. */
import type { ReactNode } from "react";

export interface PanelFrameProps {
  readonly heading: string;
  readonly isWide: boolean;
  readonly tools?: ReactNode;
  readonly children: ReactNode;
}

export function PanelFrame({ heading, isWide, tools, children }: PanelFrameProps) {
  return (
    <section className={isWide ? "panel wide" : "panel"} aria-label={heading}>
      <div className="panel-head">
        <h2>{heading}</h2>
        {tools && <span className="tools">{tools}</span>}
      </div>
      {children}
    </section>
  );
}
