/** The filter language as text for people. */
import { show } from "./values.ts";
import { t } from "../../words/words.ts";

/** Operators with their names for people. */
export const OPERATORS = [
  ["eq", t("is")],
  ["neq", t("is not")],
  ["gt", ">"],
  ["gte", "≥"],
  ["lt", "<"],
  ["lte", "≤"],
  ["contains", t("contains")],
  ["begins", t("begins with")],
  ["ilike", t("is like")],
  ["null", t("is null")],
  ["filled", t("is not null")],
] as const;

/** The words between conditions. */
export const JOINTS = { and: t("and"), or: t("or") } as const;

const WORDS: Readonly<Record<string, string>> = {
  ...Object.fromEntries(OPERATORS.filter(([name]) => !["contains", "begins", "null", "filled"].includes(name))),
  like: t("is like"),
  in: t("is one of"),
  notIn: t("is none of"),
};

/** The pattern for a text that values contain or begin with. */
export function patternOf(operator: "contains" | "begins", text: string): string {
  return `${operator === "contains" ? "%" : ""}${text.replaceAll(/[\\%_]/g, "\\$&")}%`;
}

/** The text in a pattern of `patternOf`; undefined for any other pattern. */
function readPattern(pattern: string): string | undefined {
  const [, any, text = ""] = /^(%?)((?:[^%_\\]|\\.)+)%$/.exec(pattern) ?? [];
  if (text === "") return undefined;
  return `${any === "" ? t("begins with") : t("contains")} ${text.replaceAll(/\\(.)/g, "$1")}`;
}

/** The text of a condition, such as `crew ≥ 16 and name begins with B`. A filter without a text here stays JSON. */
export function filterText(condition: unknown): string {
  return wordsOf(condition) ?? JSON.stringify(condition);
}

function wordsOf(condition: unknown): string | undefined {
  if (typeof condition !== "object" || condition === null || Array.isArray(condition)) return undefined;
  return joined(
    Object.entries(condition).map(([name, value]) => memberText(name, value as unknown)),
    "and",
  );
}

function memberText(name: string, value: unknown): string | undefined {
  if (name === "and" || name === "or") {
    if (!Array.isArray(value) || value.length === 0) return undefined;
    const texts = value.map(wordsOf);
    return texts.length === 1 ? texts[0] : joined(texts, name, true);
  }
  if (name === "not") {
    const [only, ...others] = Object.entries(value ?? {});
    if (only?.[1] === null && others.length === 0) return `${only[0]} ${t("is not null")}`;
    const text = wordsOf(value);
    return text && `${t("not")} (${text})`;
  }
  if (value === null) return `${name} ${t("is null")}`;
  if (typeof value !== "object" || Array.isArray(value)) return undefined;
  return joined(
    Object.entries(value).map(([operator, operand]) => operatorText(name, operator, operand as unknown)),
    "and",
  );
}

function operatorText(name: string, operator: string, operand: unknown): string | undefined {
  const word = WORDS[operator];
  if (word === undefined) return undefined;
  const found = operator === "ilike" && typeof operand === "string" ? readPattern(operand) : undefined;
  return `${name} ${found ?? `${word} ${operand === "" ? '""' : show(operand)}`}`;
}

/** `isPart`: whether it is one of several conditions, which are separated by brackets. */
function joined(texts: readonly (string | undefined)[], word: "and" | "or", isPart = false): string | undefined {
  if (texts.length === 0 || texts.includes(undefined)) return undefined;
  const text = texts.join(` ${JOINTS[word]} `);
  return isPart && texts.length > 1 ? `(${text})` : text;
}
