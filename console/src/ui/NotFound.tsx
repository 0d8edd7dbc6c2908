import { SearchX } from "lucide-react";
import type { ReactNode } from "react";
import { Icon } from "./Icon.tsx";

export interface NotFoundProps {
  /** What there is not. */
  readonly what: string;
  /** What to do instead. */
  readonly children?: ReactNode;
}

/** The page of an address that leads to nothing. */
export function NotFound({ what, children }: NotFoundProps) {
  return (
    <div className="empty">
      <Icon of={SearchX} />
      <h1>{what}</h1>
      {children}
    </div>
  );
}
