/** What doctor finds: what is to mend first, each with what mends it. */
import { useQuery } from "@tanstack/react-query";
import { findings, type Finding } from "../../service/operation.ts";
import { CopyButton } from "../../ui/CopyButton.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";

export function Findings() {
  const { data, error, isFetching, refetch } = useQuery(findings);
  const bad = data?.filter(({ ok }) => !ok).sort((a, b) => rank(a) - rank(b)) ?? [];
  const good = data?.filter(({ ok }) => ok) ?? [];
  return (
    <section aria-labelledby="doctor">
      <div className="head">
        <h2 id="doctor">To mend</h2>
        <span className="tools">
          <button type="button" disabled={isFetching} onClick={() => void refetch()}>
            {isFetching ? "Looking …" : "Look again"}
          </button>
        </span>
      </div>
      <ErrorNote error={error} />
      {data && bad.length === 0 && <p>Nothing.</p>}
      <ul className="parts" aria-label="What to mend">
        {bad.map((finding) => (
          <BadFinding key={finding.finding} finding={finding} />
        ))}
      </ul>
      {good.length > 0 && (
        <details>
          <summary>{good.length} things are as they should be</summary>
          <ul>
            {good.map(({ finding }) => (
              <li key={finding}>{finding}</li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}

function rank({ severity }: Finding): number {
  return severity === "error" ? 0 : 1;
}

function BadFinding({ finding: { finding, severity, remedy } }: { readonly finding: Finding }) {
  const text = remedy.join("\n");
  return (
    <li>
      <div className="tools">
        <span className={severity === "error" ? "mark deny" : "mark"}>{severity}</span>
        <span className="what">{finding}</span>
      </div>
      {text !== "" && (
        <div className="preview">
          <pre>{text}</pre>
          <CopyButton text={text} title="Copy what mends it" />
        </div>
      )}
    </li>
  );
}
