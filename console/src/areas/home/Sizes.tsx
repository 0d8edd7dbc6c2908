/** The largest tables, how they are read, and the indexes that tables lack. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { sizes, type TableSize } from "../../service/operation.ts";
import { CopyButton } from "../../ui/code/CopyButton.tsx";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { Part } from "./Part.tsx";

const SHOWN = 10;
const UNITS = ["B", "kB", "MB", "GB", "TB"];

export function Sizes() {
  const query = useQuery(sizes);
  const { data } = query;
  const missing = data?.flatMap((table) => table.missing_indexes).join("\n") ?? "";
  return (
    <Part
      id="sizes"
      title="Sizes and indexes"
      hint={data && data.length > SHOWN ? `the largest ${SHOWN} of ${data.length} tables` : undefined}
      query={query}
    >
      {data?.length === 0 && <p className="quiet">There is no table.</p>}
      {data && data.length > 0 && (
        <ScrolledTable
          label="Sizes"
          titles={["Table", "Rows (estimate)", "Table size", "Index size", "Sequential scans", "Index scans"]}
        >
          {data.slice(0, SHOWN).map((table) => (
            <Row key={`${table.schema} ${table.name}`} table={table} />
          ))}
        </ScrolledTable>
      )}
      {missing !== "" && (
        <div className="preview">
          <p>Joins, deletes and maps would want these indexes:</p>
          <pre tabIndex={0} role="region" aria-label="Indexes that are missing">
            {missing}
          </pre>
          <CopyButton text={missing} title="Copy the SQL" />
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
      <td>{rows.toLocaleString()}</td>
      <td>{inUnits(bytes)}</td>
      <td>{inUnits(indexBytes)}</td>
      <td>{whole.toLocaleString()}</td>
      <td>{byIndex.toLocaleString()}</td>
    </tr>
  );
}

/** Such as 1.2 MB. */
function inUnits(bytes: number): string {
  const step = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(1, bytes)) / 3));
  return `${(bytes / 1000 ** step).toLocaleString(undefined, { maximumFractionDigits: 1 })} ${UNITS[step]}`;
}
