/** The rows of a result as a table. */
import { shownOf, type Result } from "../../service/sql/results.ts";
import { shorten, show } from "../../service/rows/values.ts";

/** The longest text of a value in a table. */
const LONGEST_VALUE = 500;

export interface ResultTableProps {
  readonly label: string;
  readonly schema: Result["schema"];
  readonly rows: Exclude<Result["data"], string>;
  /** Whether the titles of columns have their types. Default true. */
  readonly hasTypes?: boolean;
}

export function ResultTable({ label, schema, rows, hasTypes = true }: ResultTableProps) {
  const columns = Object.entries(schema);
  return (
    <div className="scroll" role="region" aria-label={label} tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(([name, { type, array }]) => (
              <th key={name} scope="col">
                {name} {hasTypes && <span className="quiet">{array ? `${type}[]` : type}</span>}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, shownOf({ schema, data: rows })).map((row, index) => (
            <tr key={index}>
              {columns.map(([name]) => (
                <td key={name} className={row[name] === null ? "null" : ""}>
                  {row[name] === null ? "null" : shorten(show(row[name]), LONGEST_VALUE)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
