/** Numeric columns as a line over another column, or over the rows in their order. */
import { useMemo } from "react";
import { timesOf, type Result } from "../../service/sql/results.ts";
import { Chart } from "./Chart.tsx";

export interface PointsProps {
  readonly title: string;
  readonly schema: Result["schema"];
  readonly rows: readonly Readonly<Record<string, unknown>>[];
  /** The horizontal column; empty for the rows in their order. */
  readonly across: string;
  /** The column of the numbers. */
  readonly up: string;
}

export function Points({ title, schema, rows, across, up }: PointsProps) {
  const isTime = timesOf(schema).includes(across);
  const points = useMemo(() => pointsOf(rows, across, up, isTime), [rows, across, up, isTime]);
  const lines = useMemo(
    () => [{ label: up, colour: "--accent", values: points.map(([, value]) => value) }],
    [points, up],
  );
  const places = useMemo(() => points.map(([place]) => place), [points]);
  return <Chart title={title} places={places} lines={lines} kind={isTime ? "time" : "number"} />;
}

function pointsOf(
  rows: PointsProps["rows"],
  across: string,
  up: string,
  isTime: boolean,
): readonly (readonly [place: number, value: number | null])[] {
  return rows
    .map((row, index) => {
      const place = across === "" ? index + 1 : isTime ? Date.parse(String(row[across])) / 1000 : toNumber(row[across]);
      return [place ?? Number.NaN, toNumber(row[up])] as const;
    })
    .filter(([place]) => Number.isFinite(place))
    .toSorted(([one], [other]) => one - other);
}

function toNumber(value: unknown): number | null {
  const number = value === null || value === undefined ? Number.NaN : Number(value);
  return Number.isFinite(number) ? number : null;
}
