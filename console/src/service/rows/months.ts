/** The days of a calendar, in ISO's form: `2026-11-28`. Weeks begin on Monday. */

const DAY_MS = 86_400_000;

const iso = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export function monthNow(): string {
  const now = new Date();
  return `${now.getFullYear()}-${String(now.getMonth() + 1).padStart(2, "0")}`;
}

/** The month `by` months later; earlier where it is negative. */
export function nextMonth(month: string, by: number): string {
  const [year, number] = month.split("-").map(Number) as [number, number];
  return iso(Date.UTC(year, number - 1 + by, 1)).slice(0, 7);
}

/** All days of the weeks that include a day of the month, in order. */
export function daysOf(month: string): readonly string[] {
  const first = Date.parse(`${month}-01T00:00:00Z`);
  const last = Date.parse(`${nextMonth(month, 1)}-01T00:00:00Z`) - DAY_MS;
  const weekday = (ms: number): number => (new Date(ms).getUTCDay() + 6) % 7;
  const begin = first - weekday(first) * DAY_MS;
  const end = last + (6 - weekday(last)) * DAY_MS;
  return Array.from({ length: (end - begin) / DAY_MS + 1 }, (_, index) => iso(begin + index * DAY_MS));
}

/** The filter for rows with a day from `first` to `last`, and for rows that begin before and end later. */
export function whereBetween(
  where: object | undefined,
  { date, until }: { readonly date: string; readonly until?: string | undefined },
  [first, last]: readonly [first: string, last: string],
): object {
  const before = { [date]: { lt: iso(Date.parse(`${last}T00:00:00Z`) + DAY_MS) } };
  const own = { and: [before, { [date]: { gte: first } }] };
  const during = until === undefined ? own : { or: [own, { and: [before, { [until]: { gte: first } }] }] };
  return where ? { and: [where, during] } : during;
}
