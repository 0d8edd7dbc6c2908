/** The letters of date(), for printing and for reading. */

export const DAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;
export const MONTHS = [
  ..."January February March April May June July August September October November December".split(" "),
] as readonly string[];
/** Letters that stand for others. */
export const COMPOUND: Readonly<Record<string, string>> = { c: "Y-m-d\\TH:i:sP", r: "D, d M Y H:i:s O" };

export const two = (number: number): string => String(number).padStart(2, "0");
export const short = (name: string): string => name.slice(0, 3);

/** `offset`: seconds east of Greenwich. */
export function zoneText(offset: number, separator: string): string {
  const minutes = Math.floor(Math.abs(offset) / 60);
  return `${offset < 0 ? "-" : "+"}${two(Math.floor(minutes / 60))}${separator}${two(minutes % 60)}`;
}
