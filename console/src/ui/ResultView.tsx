/** The rows of a statement as a table or as JSON; a document as it is. */
import { useState } from "react";
import { SHOWN, type Result } from "../service/results.ts";
import { shorten, show } from "../service/values.ts";
import { CopyButton } from "./CopyButton.tsx";
import { saveAs } from "./saveAs.ts";

/** More of a document is not drawn; copying takes all of it. */
const LONGEST = 20_000;
/** Of a value in a table, more than its cell can show. */
const LONGEST_VALUE = 500;

export function ResultView({ result }: { readonly result: Result }) {
  const [looks, setLooks] = useState<"table" | "json">("table");
  const { data, format } = result;
  if (format === "excel" && typeof data === "string") return <Workbook base64={data} />;
  if (typeof data === "string") return <Document name={format ?? "text"} text={data} />;
  if (Object.keys(result.schema).length === 0) return null;
  return (
    <div className="result">
      <div className="tools" role="group" aria-label="Show as">
        <button type="button" className="plain" aria-pressed={looks === "table"} onClick={() => setLooks("table")}>
          Table
        </button>
        <button type="button" className="plain" aria-pressed={looks === "json"} onClick={() => setLooks("json")}>
          JSON
        </button>
      </div>
      {looks === "json" ? (
        <Document name="JSON" text={JSON.stringify(data, null, 2)} />
      ) : (
        <ResultTable schema={result.schema} rows={data} />
      )}
    </div>
  );
}

interface ResultTableProps {
  readonly schema: Result["schema"];
  readonly rows: Exclude<Result["data"], string>;
}

function ResultTable({ schema, rows }: ResultTableProps) {
  const columns = Object.entries(schema);
  return (
    <div className="scroll" role="region" aria-label="Result" tabIndex={0}>
      <table>
        <thead>
          <tr>
            {columns.map(([name, { type, array }]) => (
              <th key={name} scope="col">
                {name} <span className="quiet">{array ? `${type}[]` : type}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, SHOWN).map((row, index) => (
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

function Document({ name, text }: { readonly name: string; readonly text: string }) {
  return (
    <>
      <CopyButton text={text} title={`Copy the ${name}`} />
      <pre className="scroll" role="region" aria-label="Result" tabIndex={0}>
        {shorten(text, LONGEST)}
      </pre>
    </>
  );
}

function Workbook({ base64 }: { readonly base64: string }) {
  function download(): void {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    saveAs("result.xlsx", new Blob([bytes]));
  }
  return (
    <button type="button" onClick={download}>
      Download result.xlsx
    </button>
  );
}
