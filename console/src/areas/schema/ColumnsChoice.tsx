export interface ColumnsChoiceProps {
  readonly columns: readonly { readonly name: string }[];
  /** In the order in which they were chosen. */
  readonly chosen: readonly string[];
  readonly onChange: (chosen: readonly string[]) => void;
}

/** Columns of a table, in the order in which they are chosen. */
export function ColumnsChoice({ columns, chosen, onChange }: ColumnsChoiceProps) {
  return (
    <fieldset>
      <legend>Columns{chosen.length > 0 && `: ${chosen.join(", ")}`}</legend>
      {columns.map(({ name: column }) => (
        <label key={column}>
          <input
            type="checkbox"
            checked={chosen.includes(column)}
            onChange={({ target }) =>
              onChange(target.checked ? [...chosen, column] : chosen.filter((each) => each !== column))
            }
          />{" "}
          {column}
        </label>
      ))}
    </fieldset>
  );
}
