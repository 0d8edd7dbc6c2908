/** The rows as cards, in pages. */
import { useEffect } from "react";
import type { Row } from "../../../service/rows/rows.ts";
import type { OtherViewProps } from "./viewProps.ts";
import { fieldsOf, labelOf, othersOf, textOf } from "./useView.ts";
import { t } from "../../../words/words.ts";

const ON_PAGE = 48;
/** The number of columns on a card. The dialog that it opens has all of them. */
const MOST = 5;

export function CardsView({ relation, rows, count, titles, search, onSearch, onSight, onOpen }: OtherViewProps) {
  const from = search.place ?? 0;
  useEffect(() => onSight(from, from + ON_PAGE - 1), [onSight, from]);
  const shown = Array.from({ length: ON_PAGE }, (_, index) => rows.at(from + index)).filter((row) => row !== undefined);
  const { label } = fieldsOf("cards", relation, search.fields);
  const columns = othersOf(relation, search.look, label).slice(0, MOST);
  const all = count ?? rows.length;
  return (
    <div className="cards-view">
      <ul className="row-cards" aria-label={t("Rows of {table}", { table: relation.table })}>
        {shown.map((row, index) => (
          <Card key={row.key ?? from + index} row={row} name={labelOf(label, row, titles)} onOpen={onOpen}>
            {columns.map((column) => (
              <div key={column.name}>
                <dt>{column.name}</dt>
                <dd className={row.values[column.name] === null ? "quiet" : ""}>
                  {textOf(column, row.values[column.name], titles)}
                </dd>
              </div>
            ))}
          </Card>
        ))}
      </ul>
      {all > ON_PAGE && (
        <div className="tools">
          <button
            type="button"
            aria-disabled={from === 0}
            onClick={() => onSearch({ ...search, place: Math.max(0, from - ON_PAGE) })}
          >
            {t("Previous")}
          </button>
          <span className="quiet" aria-live="polite">
            {t("{from} to {to} of {all}", { from: from + 1, to: Math.min(all, from + ON_PAGE), all })}
          </span>
          <button
            type="button"
            aria-disabled={from + ON_PAGE >= all}
            onClick={() => onSearch({ ...search, place: from + ON_PAGE })}
          >
            {t("Next")}
          </button>
        </div>
      )}
    </div>
  );
}

interface CardProps {
  readonly row: Row;
  readonly name: string;
  readonly onOpen: (row: Row) => void;
  readonly children: React.ReactNode;
}

function Card({ row, name, onOpen, children }: CardProps) {
  return (
    <li className="row-card">
      <button type="button" className="plain" onClick={() => onOpen(row)}>
        {name}
      </button>
      <dl>{children}</dl>
    </li>
  );
}
