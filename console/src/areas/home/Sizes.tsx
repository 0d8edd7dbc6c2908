/** The largest tables, how they are read, and missing indexes. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { sizes, type TableSize } from "../../service/operation.ts";
import { CopyButton } from "../../ui/code/CopyButton.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { Part } from "./Part.tsx";
import { number, t } from "../../words/words.ts";

const SHOWN = 10;
const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function Sizes() {
  const query = useQuery(sizes);
  const { data } = query;
  const missing = data?.flatMap((table) => table.missing_indexes).join("\n") ?? "";
  return (
    <Part
      id="sizes"
      title={t("Sizes and indexes")}
      hint={
        data && data.length > SHOWN
          ? t("the largest {shown} of {count} tables", { shown: SHOWN, count: data.length })
          : undefined
      }
      query={query}
    >
      {data?.length === 0 && <p className="quiet">{t("There is no table.")}</p>}
      {data && data.length > 0 && (
        <ScrolledTable
          label={t("Sizes")}
          titles={[
            t("Table"),
            t("Rows (estimate)"),
            t("Table size"),
            t("Index size"),
            t("Sequential scans"),
            t("Index scans"),
          ]}
        >
          {data.slice(0, SHOWN).map((table) => (
            <Row key={`${table.schema} ${table.name}`} table={table} />
          ))}
        </ScrolledTable>
      )}
      {missing !== "" && (
        <div className="preview">
          <p>{t("Joins, deletes and maps would use these indexes:")}</p>
          <pre tabIndex={0} role="region" aria-label={t("Indexes that are missing")}>
            {missing}
          </pre>
          <CopyButton text={missing} title={t("Copy the SQL")} />
        </div>
      )}
    </Part>
  );
}

function Row({ table }: { readonly table: TableSize }) {
  const {
    schema,
    name,
    rows,
    table_bytes: bytes,
    index_bytes: indexBytes,
    whole_reads: whole,
    index_reads: byIndex,
  } = table;
  return (
    <tr>
      <th scope="row">
        <Link to="/schema/$schema/$table" params={{ schema, table: name }}>
          {schema}.{name}
        </Link>
      </th>
      <td>{number(rows)}</td>
      <td>{inUnits(bytes)}</td>
      <td>{inUnits(indexBytes)}</td>
      <td>{number(whole)}</td>
      <td>{number(byIndex)}</td>
    </tr>
  );
}

/** A size in units, such as 1.2 MB. */
function inUnits(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${number(bytes / 1000 ** step, { maximumFractionDigits: 1 })} ${UNITS[step]}`;
}
