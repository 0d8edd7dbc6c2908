export interface ChoicesProps {
  readonly legend: string;
  readonly names: readonly string[];
  /** The chosen names, in the order of choosing. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** A choice of any number of names, in the order of choosing. */
export function Choices({ legend, names, chosen, onChange }: ChoicesProps) {
  return (
    <fieldset>
      <legend>
        {legend}
        {chosen.length > 0 && `: ${chosen.join(", ")}`}
      </legend>
      {names.map((name) => (
        <label key={name}>
          <input
            type="checkbox"
            checked={chosen.includes(name)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, name] : chosen.filter((each) => each !== name))
            }
          />{" "}
          {name}
        </label>
      ))}
    </fieldset>
  );
}
