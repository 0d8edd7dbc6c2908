/** Lines over time or numbers, drawn by uPlot in the colours of the page. */
import { useEffect, useRef, useSyncExternalStore } from "react";
import uPlot from "uplot";
import { colourOf } from "../map/colours.ts";
import { isDark, onThemeChange } from "../theme.ts";
import { locale, number, t } from "../../words/words.ts";

export interface ChartProps {
  readonly title: string;
  /** The horizontal values, ascending: seconds since 1970, or numbers. */
  readonly places: readonly number[];
  readonly lines: readonly Line[];
  /** `minutes`: measurements of a running service, from 0 upwards. Default: `minutes`. */
  readonly kind?: "minutes" | "time" | "number";
}

export interface Line {
  readonly label: string;
  /** A custom property of the page, such as --accent. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  readonly dash?: readonly number[];
}

const HEIGHT = 180;
/** The least range in seconds, so that a first minute is drawn at the end of an hour. */
const LEAST_SECONDS = 3600;

export function Chart({ title, places, lines, kind = "minutes" }: ChartProps) {
  const place = useRef<HTMLDivElement>(null);
  const scheme = useSyncExternalStore(onThemeChange, isDark);

  useEffect(() => {
    const parent = place.current!;
    const chart = new uPlot(
      optionsOf(parent, places, lines, kind),
      [[...places], ...lines.map(({ values }) => [...values])],
      parent,
    );
    const observer = new ResizeObserver(() => chart.setSize({ width: parent.clientWidth, height: HEIGHT }));
    observer.observe(parent);
    return () => {
      observer.disconnect();
      chart.destroy();
    };
  }, [places, lines, kind, scheme]);

  return (
    <figure className="chart">
      <figcaption>
        {title}
        {lines.map(({ label, colour, dash }) => (
          <span key={label} className={dash ? "line dashed" : "line"} data-colour={colour}>
            {label}
          </span>
        ))}
      </figcaption>
      <div ref={place} role="img" aria-label={describe(title, lines)} />
    </figure>
  );
}

function optionsOf(
  parent: HTMLElement,
  places: readonly number[],
  lines: readonly Line[],
  kind: ChartProps["kind"],
): uPlot.Options {
  const [first = 0, last = 0] = [places[0], places.at(-1)];
  const of = (name: string): string => colourOf(parent, name);
  const axis = {
    stroke: of("--quiet"),
    grid: { stroke: of("--line"), width: 1 },
    ticks: { stroke: of("--line"), width: 1 },
  };
  return {
    width: parent.clientWidth,
    height: HEIGHT,
    padding: [null, 28, null, null], // room for half of the last label
    legend: { show: false }, // the caption has it, and the label has the maximum
    cursor: { show: false },
    axes: [
      { ...axis, ...(kind !== "number" && { values: (_chart: uPlot, splits: number[]) => momentsOf(splits) }) },
      { ...axis, size: 60, values: (_chart: uPlot, splits: number[]) => splits.map((value) => number(value)) },
    ],
    scales:
      kind === "minutes"
        ? {
            // set here, since uPlot would show years for a single moment
            x: { range: () => [Math.min(first, last - LEAST_SECONDS), last] },
            y: { range: (_chart, _least, most) => [0, Math.max(1, most * 1.1)] },
          }
        : { x: { time: kind === "time" } },
    series: [
      {},
      ...lines.map(({ label, colour, dash }) => ({
        label,
        stroke: of(colour),
        width: 1.5,
        ...(dash && { dash: [...dash] }),
      })),
    ],
  };
}

const DAY_SECONDS = 86_400;

/** Moments in the language of the person: times within a day or two, else days, else months. */
function momentsOf(seconds: readonly number[]): string[] {
  const [first = 0, last = 0] = [seconds[0], seconds.at(-1)];
  const form: Intl.DateTimeFormatOptions =
    last - first <= 2 * DAY_SECONDS
      ? { hour: "numeric", minute: "2-digit" }
      : last - first <= 300 * DAY_SECONDS
        ? { day: "numeric", month: "short" }
        : { month: "short", year: "numeric" };
  const format = new Intl.DateTimeFormat(locale, form);
  return seconds.map((each) => format.format(each * 1000));
}

function describe(title: string, lines: readonly Line[]): string {
  const mosts = lines.map(({ label, values }) =>
    t("{label} at most {value}", { label, value: Math.max(0, ...values.map((value) => value ?? 0)) }),
  );
  return `${title}: ${mosts.join(", ")}`;
}
