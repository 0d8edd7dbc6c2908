/** The default of a column: a value, or one of the functions that the service takes. */
import { useId } from "react";
import { t } from "../../words/words.ts";

/** As REST has it; undefined: none is given, null: none at all. */
export type Default = { readonly value: string } | { readonly function: string } | null | undefined;

const DEFAULTS = [
  ["", t("no default")],
  ["none", t("none")],
  ["value", t("a value")],
  ["now", "now()"],
  ["current_date", "current_date"],
  ["gen_random_uuid", "gen_random_uuid()"],
  ["current_user", "current_user"],
] as const;

export interface DefaultInputProps {
  readonly value: Default;
  readonly onChange: (value: Default) => void;
  /** Of a column that is there, which may have one already. */
  readonly isThere?: boolean;
}

export function DefaultInput({ value: given, onChange, isThere = false }: DefaultInputProps) {
  const id = useId();
  const what = given === undefined ? "" : given === null ? "none" : "value" in given ? "value" : given.function;
  const choose = (next: string): void =>
    onChange(next === "" ? undefined : next === "none" ? null : next === "value" ? { value: "" } : { function: next });
  return (
    <>
      <select id={id} aria-label={t("Default")} value={what} onChange={({ target }) => choose(target.value)}>
        {DEFAULTS.filter(([name]) => isThere || name !== "none").map(([name, title]) => (
          <option key={name} value={name}>
            {isThere && name === "" ? t("as it is") : title}
          </option>
        ))}
      </select>
      {given && "value" in given && (
        <input
          aria-label={t("Value")}
          spellCheck={false}
          value={given.value}
          onChange={({ target }) => onChange({ value: target.value })}
        />
      )}
    </>
  );
}
