/** The properties that every kind of view has. */
import type { Column, Relation } from "../../../service/rows/relations.ts";
import type { Row, Value } from "../../../service/rows/rows.ts";
import type { Rows } from "../../../service/rows/useRows.ts";
import type { ViewSearch } from "../../../service/rows/viewSearch.ts";
import type { Titles } from "../../../ui/grid/GridRow.tsx";

export interface OtherViewProps {
  readonly relation: Relation;
  readonly rows: Rows;
  readonly count: number | undefined;
  readonly titles: Titles;
  readonly search: ViewSearch;
  readonly onSearch: (search: ViewSearch) => void;
  readonly onSight: (from: number, to: number) => void;
  readonly onOpen: (row: Row) => void;
  /** Undefined where the account may not write. */
  readonly onWrite: ((row: Row, column: Column, value: Value) => Promise<void>) | undefined;
  /** Reads the rows again. */
  readonly onWritten: () => Promise<void>;
}
