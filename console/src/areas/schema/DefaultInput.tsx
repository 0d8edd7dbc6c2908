/** The default of a column: a value, or one of the functions that the service accepts. */
import { useId } from "react";
import { t } from "../../words/words.ts";

/** The default in the form of REST. Undefined: none is given; null: no default at all. */
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
  /** Whether the column exists, so that it may already have a default. */
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
