/**
 * Dates and times of a workbook are numbers of days. The format of the cell makes such a number a date, a time or both
 * (ECMA-376 §18.8.30).
 */
import { badInput } from "../../ground/errors.ts";

/** `elapsed`: hours that may exceed a day. */
export type Moment = "date" | "time" | "both" | "elapsed";

const DATES = [14, 15, 16, 17, 27, 28, 29, 30, 31, 34, 35, 36, 50, 51, 52, 53, 54, 55, 56, 57, 58];
/** The formats that every workbook has, by their ids. */
const OWN_FORMATS: ReadonlyMap<number, Moment> = new Map([
  ...DATES.map((id) => [id, "date"] as const),
  ...[18, 19, 20, 21, 32, 33, 45, 47].map((id) => [id, "time"] as const),
  [22, "both"],
  [46, "elapsed"],
]);

/** Undefined: a number. `code`: of a format that the workbook defines. */
export function momentOf(id: number, code: string | undefined): Moment | undefined {
  if (code === undefined) return OWN_FORMATS.get(id);
  const [first = ""] = code.replaceAll(/"[^"]*"|\\.|_.|\*./g, "").split(";");
  if (/^(general|standard)$/i.test(first.trim())) return undefined;
  if (/\[(h+|m+|s+)\]/i.test(first)) return "elapsed";
  const letters = first.replaceAll(/\[[^[\]]*\]/g, "").toLowerCase();
  const [hasDay, hasTime] = [/[dy]/.test(letters), /[hs]/.test(letters)];
  if (hasDay && hasTime) return "both";
  if (hasTime) return "time";
  return hasDay || /m/.test(letters) ? "date" : undefined;
}

const DAY_MS = 86_400_000;
/** Day 0 is 1899-12-30, but up to 59 it is 1899-12-31: day 60 is 1900-02-29, which never was. */
const DAYS_BEFORE_1970 = 25_569;
const NO_DAY = 60;
const LAST_DAY = 2_958_465;
/** Of workbooks that count from 1904. */
const DAYS_TO_1904 = 1462;

/** As PostgreSQL reads it. Throws `BAD_USER_INPUT` for a number that is not a date. */
export function momentText(serial: number, moment: Moment, is1904: boolean): string {
  if (moment === "elapsed") return elapsed(serial);
  if (serial >= 0 && serial < 1 && !(is1904 && moment === "date")) return timeText(Math.round(serial * DAY_MS));
  const days = serial + (is1904 ? DAYS_TO_1904 : 0);
  if (!(days >= 0 && days < LAST_DAY + 1) || Math.floor(days) === NO_DAY) badInput(`there is no day ${serial}`);
  const date = new Date(Math.round((days + (days < NO_DAY ? 1 : 0) - DAYS_BEFORE_1970) * DAY_MS));
  const [day = "", time = ""] = date.toISOString().slice(0, -1).split("T");
  const isMidnight = date.getTime() % DAY_MS === 0;
  return moment === "date" && isMidnight ? day : `${day} ${time.replace(/\.000$/, "")}`;
}

function timeText(ms: number): string {
  return new Date(ms)
    .toISOString()
    .slice(11, -1)
    .replace(/\.000$/, "");
}

function elapsed(serial: number): string {
  const seconds = Math.round(Math.abs(serial) * 86_400);
  const two = (part: number): string => String(part).padStart(2, "0");
  const hours = two(Math.floor(seconds / 3600));
  return `${serial < 0 ? "-" : ""}${hours}:${two(Math.floor(seconds / 60) % 60)}:${two(seconds % 60)}`;
}
