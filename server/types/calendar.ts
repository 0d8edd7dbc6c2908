/** The proleptic Gregorian calendar in days from 1970-01-01, over more years than a Date of JavaScript has. */

/** `year`: astronomical, 0 is 1 BC. */
export interface CalendarDay {
  readonly year: number;
  readonly month: number;
  readonly day: number;
}

export function isLeap(year: number): boolean {
  return (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
}

/** NaN where there is no such month. */
export function daysInMonth(year: number, month: number): number {
  return [31, isLeap(year) ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31][month - 1] ?? NaN;
}

export function toDays(year: number, month: number, day: number): number {
  // a year that begins in March has its leap day at the end
  const y = month > 2 ? year : year - 1;
  const era = Math.floor(y / 400);
  const yearOfEra = y - era * 400;
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1;
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear;
  return era * 146_097 + dayOfEra - 719_468;
}

export function fromDays(days: number): CalendarDay {
  const shifted = days + 719_468;
  const era = Math.floor(shifted / 146_097);
  const dayOfEra = shifted - era * 146_097;
  const yearOfEra = Math.floor(
    (dayOfEra - Math.floor(dayOfEra / 1460) + Math.floor(dayOfEra / 36_524) - Math.floor(dayOfEra / 146_096)) / 365,
  );
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100));
  const part = Math.floor((5 * dayOfYear + 2) / 153);
  const month = part < 10 ? part + 3 : part - 9;
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * part + 2) / 5) + 1,
  };
}

/** 0 is Sunday. */
export function weekday(days: number): number {
  return (((days + 4) % 7) + 7) % 7;
}

/** 1 is Monday, 7 Sunday (ISO 8601). */
export function isoWeekday(days: number): number {
  return weekday(days) || 7;
}

/** ISO 8601 §4.1.4: the week, and the year that has its Thursday. */
export function isoWeek(days: number): { readonly year: number; readonly week: number } {
  const thursday = days - isoWeekday(days) + 4;
  const { year } = fromDays(thursday);
  return { year, week: Math.floor((thursday - toDays(year, 1, 1)) / 7) + 1 };
}

/** The day of an ISO week: week 1 holds the 4th of January, and begins on Monday. */
export function fromIsoWeek(year: number, week: number, day: number): number {
  const fourth = toDays(year, 1, 4);
  return fourth - isoWeekday(fourth) + (week - 1) * 7 + day;
}
