/**
 * The texts of the console in the language of the person. A text is identified by its English words. Every other
 * language has a dictionary, which is loaded only if it is used, and before any module that shows a text.
 */
import type { texts } from "./german/german.ts";

/** The languages, each by its own name. */
export const LANGUAGES = { en: "English", de: "Deutsch" } as const;
export type Language = keyof typeof LANGUAGES;

/** An English text that has an entry in every dictionary. */
export type Text = keyof typeof texts;

/** The names in braces of a text: `"table"` of `"Rows of {table}"`. */
export type Names<Of extends string> = Of extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

type Values<Of extends string, Value> = [Names<Of>] extends [never] ? [] : [Readonly<Record<Names<Of>, Value>>];

/** A value in a text. Null and undefined are written as nothing. */
type Value = string | number | null | undefined;

const STORED = "portolan:language";
const isPage = "document" in globalThis; // tests and benchmarks also load modules of the console

function isLanguage(tag: string | undefined | null): tag is Language {
  return tag === "en" || tag === "de";
}

/** The language that was chosen in this browser, else the first supported one of the browser, else English. */
function findLanguage(): Language {
  if (!isPage) return "en";
  const chosen = localStorage.getItem(STORED);
  if (isLanguage(chosen)) return chosen;
  return navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase()).find(isLanguage) ?? "en";
}

interface Dictionary {
  readonly texts: Readonly<Record<string, string>>;
  /** Words for names that come from the service. */
  readonly names: Readonly<Record<string, string>>;
  /** The same for sentences with names in them. */
  readonly sayings: readonly (readonly [english: RegExp, text: string])[];
  readonly additions: readonly (readonly [english: RegExp, text: string])[];
}

const wanted = findLanguage();

/** English is used if the dictionary cannot be loaded: the console works without it. */
const dictionary: Dictionary | undefined =
  wanted === "de" ? await import("./german/german.ts").catch(() => undefined) : undefined;

export const language: Language = dictionary ? wanted : "en";

/** The locale for numbers and dates: the browser's own variant of this language, such as `en-GB`. */
export const locale =
  (isPage ? navigator.languages : []).find((tag) => tag.toLowerCase().startsWith(language)) ?? language;

/** Tells the browser and screen readers the language of the page. */
export function applyLanguage(): void {
  document.documentElement.lang = language;
}

/** Chooses a language. The page is reloaded, because texts are made once. */
export function chooseLanguage(chosen: Language): void {
  localStorage.setItem(STORED, chosen);
  location.reload();
}

/**
 * The text in the person's language, with the values of its names. Numbers are written in the form of that language.
 */
export function t<Of extends Text>(text: Of, ...values: Values<Of, Value>): string {
  const [given = {}] = values as [Readonly<Record<string, Value>>?];
  return template(text).replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name];
    return typeof value === "number" ? number(value) : (value ?? "");
  });
}

const rules = new Intl.PluralRules(language);

/** The one of two texts that the language uses with a number: `plural(2, "{count} row", "{count} rows")`. */
export function plural<One extends Text, Other extends Text>(
  count: number,
  one: One & (Exclude<Names<One>, "count"> extends never ? unknown : never),
  other: Other & (Exclude<Names<Other>, "count"> extends never ? unknown : never),
): string {
  return (t as (text: Text, values: object) => string)(rules.select(count) === "one" ? one : other, { count });
}

/** The words for a name from the service, such as a state; the name itself where there are none. */
export function ofService(name: string): string {
  const known = dictionary?.names[name];
  if (known !== undefined || !dictionary) return known ?? name;
  const saying = dictionary.sayings.find(([english]) => english.test(name));
  if (!saying) return name;
  return dictionary.additions.reduce((text, addition) => text.replace(...addition), name.replace(...saying));
}

/** The text in the person's language, with its names in braces. */
export function template(text: Text): string {
  return dictionary?.texts[text] ?? text;
}

const numbers = new Intl.NumberFormat(locale);

/** A number in the form of the language. */
export function number(value: number, options?: Intl.NumberFormatOptions): string {
  return options ? new Intl.NumberFormat(locale, options).format(value) : numbers.format(value);
}

/** An instant in the form of the language: in full, or by `options`. */
export function instant(value: string | number | Date, options?: Intl.DateTimeFormatOptions): string {
  return new Date(value).toLocaleString(locale, options);
}
