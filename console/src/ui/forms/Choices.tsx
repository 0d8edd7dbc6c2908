/** Names with check boxes. */
import { useState } from "react";
import { t } from "../../words/words.ts";

export interface ChoicesProps {
  readonly legend: string;
  /** The name of the member that is chosen. */
  readonly name?: string;
  readonly names: readonly string[];
  /** The chosen names, in the order of choosing. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Up to this many names are shown at once. Of a longer list: the chosen ones, and those that are searched for. */
const MOST_SHOWN = 40;

/** A choice of any number of names, in the order of choosing. */
export function Choices({ legend, name: member, names, chosen, onChange }: ChoicesProps) {
  const [search, setSearch] = useState("");
  const isLong = names.length > MOST_SHOWN;
  const found = isLong ? names.filter((name) => !chosen.includes(name) && name.includes(search)) : names;
  const shown = isLong ? [...chosen, ...found.slice(0, MOST_SHOWN)] : names;
  return (
    <fieldset>
      <legend>
        {legend}
        {chosen.length > 0 && `: ${chosen.join(", ")}`}
      </legend>
      {isLong && (
        <input
          type="search"
          aria-label={t("Find a name")}
          placeholder={t("Find a name")}
          value={search}
          onChange={({ target }) => setSearch(target.value)}
        />
      )}
      {shown.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            name={member}
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
            }
          />{" "}
          {name}
        </label>
      ))}
      {found.length > MOST_SHOWN && isLong && (
        <span className="quiet">{t("and {count} others", { count: found.length - MOST_SHOWN })}</span>
      )}
    </fieldset>
  );
}
