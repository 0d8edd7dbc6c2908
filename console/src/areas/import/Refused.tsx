/** Why a file was not imported: the rows that are wrong, one a line where they are many. */
import { ImportError } from "../../service/tables/imports.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";

/** `MOST_FAULTS` of the service: it looks no further. */
const MOST = 1000;

export function Refused({ error }: { readonly error: Error | null }) {
  if (!(error instanceof ImportError) || error.faults.length < 2) return <ErrorNote error={error} />;
  const { faults } = error;
  const count = faults.length === MOST ? `${MOST.toLocaleString("en")} rows or more are` : `${faults.length} rows are`;
  return (
    <div className="note error faults" role="alert">
      <p>{count} wrong, and nothing is imported.</p>
      <ul tabIndex={0} aria-label="Rows that are wrong">
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </div>
  );
}
