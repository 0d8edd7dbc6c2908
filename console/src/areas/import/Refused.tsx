/** The reasons why a file was not imported: the faulty rows, one a line where there are several. */
import { ImportError } from "../../service/tables/imports.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { t } from "../../words/words.ts";

/** The most faults, as `MOST_FAULTS` of the service, which stops after them. */
const MOST = 1000;

export function Refused({ error }: { readonly error: Error | null }) {
  if (!(error instanceof ImportError) || error.faults.length < 2) return <ErrorNote error={error} />;
  const { faults } = error;
  const sentence =
    faults.length === MOST
      ? t("{count} rows or more are wrong, so nothing is imported.", { count: MOST })
      : t("{count} rows are wrong, so nothing is imported.", { count: faults.length });
  return (
    <div className="note error faults" role="alert">
      <p>{sentence}</p>
      <ul tabIndex={0} aria-label={t("Rows that are wrong")}>
        {faults.map((fault) => (
          <li key={fault}>{fault}</li>
        ))}
      </ul>
    </div>
  );
}
