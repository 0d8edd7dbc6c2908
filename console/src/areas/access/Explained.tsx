import type { Reason } from "../../service/access.ts";
import { ofService } from "../../words/words.ts";

export interface ReasonsProps {
  readonly title: string;
  readonly reasons: readonly Reason[];
  /** The text where there are none. */
  readonly none: string;
}

/** Reasons of a decision, and whether each applies. */
export function Reasons({ title, reasons, none }: ReasonsProps) {
  return (
    <section aria-label={title}>
      <h2>{title}</h2>
      {reasons.length === 0 ? (
        <p className="quiet">{none}</p>
      ) : (
        <ul className="reasons">
          {reasons.map(({ name, applies, meaning }, index) => (
            <li key={`${name} ${index}`} className={applies === "no" ? "quiet" : ""}>
              <span className={applies === "yes" ? "mark good" : "mark"}>{ofService(applies)}</span>
              <span className="reason">
                <strong>{name}</strong>
                {meaning !== "" && `: ${ofService(meaning)}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
