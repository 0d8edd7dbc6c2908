/** A table that scrolls where it is wider than the page, also by keyboard. */
import type { ReactNode } from "react";
import { TableHead } from "./TableHead.tsx";

export interface ScrolledTableProps {
  readonly label: string;
  readonly titles: readonly string[];
  readonly children: ReactNode;
}

export function ScrolledTable({ label, titles, children }: ScrolledTableProps) {
  return (
    <div className="scroll" role="region" aria-label={label} tabIndex={0}>
      <table>
        <TableHead titles={titles} />
        <tbody>{children}</tbody>
      </table>
    </div>
  );
}
