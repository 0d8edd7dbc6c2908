/** The same request in several languages, to copy. The person's own token is included on request. */
import { useId, useState } from "react";
import { token } from "../../service/http/session.ts";
import { CopyButton } from "./CopyButton.tsx";
import { t } from "../../words/words.ts";

export interface Sample {
  /** The name of the language, such as Python. */
  readonly name: string;
  /** `TOKEN_PLACE` marks the place of a token. */
  readonly code: string;
}

export const TOKEN_PLACE = "YOUR_ACCESS_TOKEN";

export function CodeSamples({ label, samples }: { readonly label: string; readonly samples: readonly Sample[] }) {
  const id = useId();
  const [chosen, setChosen] = useState(0);
  const [bearer, setBearer] = useState<string>();
  const sample = samples[Math.min(chosen, samples.length - 1)];
  if (!sample) return null;
  const text = bearer === undefined ? sample.code : sample.code.replaceAll(TOKEN_PLACE, bearer);
  return (
    <div className="samples">
      <div className="tools">
        <select aria-label={label} value={chosen} onChange={({ target }) => setChosen(Number(target.value))}>
          {samples.map(({ name }, index) => (
            <option key={name} value={index}>
              {name}
            </option>
          ))}
        </select>
        <CopyButton key={`${id} ${chosen}`} text={text} title={t("Copy {name}", { name: sample.name })} />
        {sample.code.includes(TOKEN_PLACE) && (
          <label>
            <input
              type="checkbox"
              checked={bearer !== undefined}
              onChange={({ target }) => void (target.checked ? token() : Promise.resolve(undefined)).then(setBearer)}
            />{" "}
            {t("With my token, which ends soon")}
          </label>
        )}
      </div>
      <pre tabIndex={0} role="region" aria-label={`${label}: ${sample.name}`}>
        {text}
      </pre>
    </div>
  );
}
