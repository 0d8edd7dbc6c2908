/** Requests of the last 24 hours by minute: their number, their failures, their duration, and waiting. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { statistics, toDay, type Day } from "../../service/operation.ts";
import { Chart, type Line } from "../../ui/results/Chart.tsx";
import { Part } from "./Part.tsx";
import { number, t } from "../../words/words.ts";

export function Statistics() {
  const query = useQuery(statistics);
  const { data, dataUpdatedAt } = query;
  const day = useMemo(() => data && toDay(data, dataUpdatedAt), [data, dataUpdatedAt]);
  return (
    <Part
      id="requests"
      title={t("Requests of the last 24 hours")}
      query={query}
      tools={
        <Link className="button" to="/requests">
          {t("Request log")}
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
        { label: t("all"), colour: "--accent", values: day.requests },
        { label: "4xx", colour: "--literal", values: day.refused, dash: [6, 3] },
        { label: "5xx", colour: "--error", values: day.failed },
      ],
      [
        { label: t("95th percentile"), colour: "--accent", values: day.p95 },
        { label: t("event lag"), colour: "--literal", values: day.eventLag, dash: [6, 3] },
      ],
    ],
    [day],
  );
  return (
    <div className="charts">
      <Chart title={t("Requests a minute")} places={day.times} lines={requests} />
      <Chart title={t("Milliseconds")} places={day.times} lines={times} />
    </div>
  );
}

function Figures({ day }: { readonly day: Day }) {
  const total = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0);
  const most = (values: readonly (number | null)[]): number => Math.max(0, ...values.map((value) => value ?? 0));
  return (
    <dl className="figures" aria-label={t("In figures")}>
      <Figure name={t("Requests")} value={total(day.requests)} />
      <Figure name={t("Refused (4xx)")} value={total(day.refused)} to="4xx" />
      <Figure name={t("Failed (5xx)")} value={total(day.failed)} to="5xx" />
      <Figure name={t("Slowest p95")} value={`${number(Math.round(most(day.p95)))} ms`} />
      <Figure name={t("Longest event lag")} value={`${number(most(day.eventLag))} ms`} />
      <Figure name={t("Most maps waiting")} value={most(day.mapQueue)} />
    </dl>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string | number;
  /** A link to the requests of this status. */
  readonly to?: string;
}

function Figure({ name, value, to }: FigureProps) {
  const text = typeof value === "number" ? number(value) : value;
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
