/** The rows of a month, each on its days. On a phone, the days that have rows are listed below each other. */
import { useQuery } from "@tanstack/react-query";
import { daysOf, monthNow, nextMonth, whereBetween } from "../../../service/rows/months.ts";
import { countRows, readPage, type Row } from "../../../service/rows/rows.ts";
import { toChoice } from "../../../service/rows/gridSearch.ts";
import type { Column } from "../../../service/rows/relations.ts";
import { ErrorNote } from "../../../ui/ErrorNote.tsx";
import type { OtherViewProps } from "./viewProps.ts";
import { fieldsOf, labelOf } from "./useView.ts";
import { locale, t } from "../../../words/words.ts";

const written = new Intl.DateTimeFormat(locale, { month: "long", year: "numeric", timeZone: "UTC" });
const weekday = new Intl.DateTimeFormat(locale, { weekday: "short", timeZone: "UTC" });
const whole = new Intl.DateTimeFormat(locale, { dateStyle: "full", timeZone: "UTC" });

/** The most rows that a day shows. It then shows the number of the others. */
const MOST = 6;

export function CalendarView(props: OtherViewProps) {
  const { relation, search } = props;
  const { date, until } = fieldsOf("calendar", relation, search.fields);
  return date ? <Month {...props} date={date} until={until} /> : <p className="empty">{t("No column has a date.")}</p>;
}

interface MonthProps extends OtherViewProps {
  readonly date: Column;
  readonly until: Column | undefined;
}

function Month({ relation, titles, search, onSearch, onOpen, date, until }: MonthProps) {
  const month = search.month ?? monthNow();
  const days = daysOf(month);
  const { where } = toChoice(search);
  const span = [days[0]!, days.at(-1)!] as const;
  const { data, error } = useQuery({
    queryKey: ["rows", relation.schema, relation.type, "month", month, date.name, until?.name, where],
    queryFn: async ({ signal }) => {
      const choice = {
        where: whereBetween(where, { date: date.name, until: until?.name }, span),
        sort: { column: date.name, direction: "asc" as const },
      };
      const { rows, next } = await readPage(relation, choice, { offset: 0 }, signal);
      return { rows, count: next ? await countRows(relation.schema, relation, choice, signal) : rows.length };
    },
    placeholderData: (before) => before,
  });
  const { label } = fieldsOf("calendar", relation, search.fields);
  const onDay = byDay(data?.rows ?? [], date, until, days);
  const go = (to: string): void => onSearch({ ...search, month: to });
  return (
    <div className="calendar-view">
      <div className="tools">
        <button type="button" onClick={() => go(nextMonth(month, -1))}>
          {t("Previous month")}
        </button>
        <h2 aria-live="polite">{written.format(Date.parse(`${month}-01`))}</h2>
        <button type="button" onClick={() => go(nextMonth(month, 1))}>
          {t("Next month")}
        </button>
        <input
          type="month"
          aria-label={t("Month")}
          value={month}
          onChange={({ target }) => target.value !== "" && go(target.value)}
        />
      </div>
      <ErrorNote error={error} />
      {data && data.count > data.rows.length && (
        <p className="quiet">
          {t("The first {shown} of {count} rows. Use a filter for others.", {
            shown: data.rows.length,
            count: data.count,
          })}
        </p>
      )}
      {data?.count === 0 && <p className="quiet">{t("No row has a day in this month.")}</p>}
      <ol className="days" aria-label={written.format(Date.parse(`${month}-01`))}>
        {days.map((day, index) => {
          const rows = onDay.get(day) ?? [];
          return (
            <li
              key={day}
              className={`day${day.startsWith(month) ? "" : " other"}${rows.length === 0 ? " free" : ""}`}
              aria-label={whole.format(Date.parse(day))}
            >
              <span className="quiet" aria-hidden>
                <span className={index < 7 ? "" : "day-name"}>{weekday.format(Date.parse(day))} </span>
                {Number(day.slice(8))}
              </span>
              {rows.slice(0, MOST).map((row) => (
                <button
                  key={row.key ?? JSON.stringify(row.values)}
                  type="button"
                  className="plain"
                  onClick={() => onOpen(row)}
                >
                  {labelOf(label, row, titles)}
                </button>
              ))}
              {rows.length > MOST && (
                <span className="quiet">{t("and {count} more", { count: rows.length - MOST })}</span>
              )}
            </li>
          );
        })}
      </ol>
    </div>
  );
}

function byDay(
  rows: readonly Row[],
  date: Column,
  until: Column | undefined,
  days: readonly string[],
): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>();
  for (const row of rows) {
    const from = dayOf(row.values[date.name]);
    const last = (until && dayOf(row.values[until.name])) ?? from;
    if (from === undefined || last === undefined) continue;
    for (const day of days) if (day >= from && day <= (last < from ? from : last)) add(found, day, row);
  }
  return found;
}

function add(found: Map<string, Row[]>, day: string, row: Row): void {
  found.set(day, [...(found.get(day) ?? []), row]);
}

/** The day of a value as the service writes it, in the value's own time zone. */
function dayOf(value: unknown): string | undefined {
  return typeof value === "string" && /^\d{4}-\d\d-\d\d/.test(value) ? value.slice(0, 10) : undefined;
}
