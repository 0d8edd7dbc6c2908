/** A table that scrolls where it is wider than the page, also by keyboard. */
import type { ReactNode } from "react";
import { TableHead } from "./TableHead.tsx";

export interface ScrolledTableProps {
  /** Of its style where a narrow page shows it in another form. */
  readonly className?: string;
  readonly label: string;
  readonly titles: readonly string[];
  readonly children: ReactNode;
}

export function ScrolledTable({ className = "", label, titles, children }: ScrolledTableProps) {
  return (
    <div className={`scroll ${className}`} role="region" aria-label={label} tabIndex={0}>
      <table>
        <TableHead titles={titles} />
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
