export interface ChoicesProps {
  readonly legend: string;
  /** The name of the member that is chosen. */
  readonly name?: string;
  readonly names: readonly string[];
  /** The chosen names, in the order of choosing. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** A choice of any number of names, in the order of choosing. */
export function Choices({ legend, name: member, names, chosen, onChange }: ChoicesProps) {
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
            name={member}
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
