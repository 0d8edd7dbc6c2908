/** Requests of the last 24 hours by minute: how many, how many went wrong, how fast, and what waited. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { statistics, toDay, type Day } from "../../service/operation.ts";
import { Chart, type Line } from "../../ui/results/Chart.tsx";
import { Part } from "./Part.tsx";

export function Statistics() {
  const query = useQuery(statistics);
  const { data, dataUpdatedAt } = query;
  const day = useMemo(() => data && toDay(data, dataUpdatedAt), [data, dataUpdatedAt]);
  return (
    <Part
      id="requests"
      title="Requests of the last 24 hours"
      query={query}
      tools={
        <Link className="button" to="/requests">
          Request log
        </Link>
      }
    >
      {day && (
        <>
          <Figures day={day} />
          <Charts day={day} />
        </>
      )}
    </Part>
  );
}

function Charts({ day }: { readonly day: Day }) {
  const [requests, times] = useMemo(
    (): readonly [readonly Line[], readonly Line[]] => [
      [
        { label: "all", colour: "--accent", values: day.requests },
        { label: "4xx", colour: "--literal", values: day.refused, dash: [6, 3] },
        { label: "5xx", colour: "--error", values: day.failed },
      ],
      [
        { label: "95 of 100 within", colour: "--accent", values: day.p95 },
        { label: "event lag", colour: "--literal", values: day.eventLag, dash: [6, 3] },
      ],
    ],
    [day],
  );
  return (
    <div className="charts">
      <Chart title="Requests a minute" places={day.times} lines={requests} />
      <Chart title="Milliseconds" places={day.times} lines={times} />
    </div>
  );
}

function Figures({ day }: { readonly day: Day }) {
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const most = (values: readonly (number | null)[]): number => Math.max(0, ...values.map((value) => value ?? 0));
  return (
    <dl className="figures" aria-label="In figures">
      <Figure name="Requests" value={total(day.requests)} />
      <Figure name="Refused (4xx)" value={total(day.refused)} to="4xx" />
      <Figure name="Failed (5xx)" value={total(day.failed)} to="5xx" />
      <Figure name="Slowest p95" value={`${Math.round(most(day.p95)).toLocaleString()} ms`} />
      <Figure name="Longest event lag" value={`${most(day.eventLag).toLocaleString()} ms`} />
      <Figure name="Most maps waiting" value={most(day.mapQueue)} />
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string | number;
  /** The requests of this status. */
  readonly to?: string;
}

function Figure({ name, value, to }: FigureProps) {
  const text = typeof value === "number" ? value.toLocaleString() : value;
  return (
    <div>
      <dt>{name}</dt>
      <dd>
        {to !== undefined && value !== 0 ? (
          <Link to="/requests" search={{ status: to }}>
            {text}
          </Link>
        ) : (
          text
        )}
      </dd>
    </div>
  );
}
