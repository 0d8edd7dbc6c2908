/** The instant that a map shows, where one of its tables has a history. */
import { useCallback, useState } from "react";
import { Instant } from "../../Instant.tsx";
import type { ShownLayer } from "./layerStack.ts";
import type { Collection } from "./mapSource.ts";
import { t } from "../../../words/words.ts";

/** The beginning of the history of the shown tables; undefined where none has a history. */
function sinceOf(layers: readonly ShownLayer[], collections: ReadonlyMap<string, Collection> | undefined) {
  const begins = layers.flatMap(({ collection, visible = true }) => {
    const since = collection === undefined || !visible ? undefined : collections?.get(collection)?.since;
    return since === undefined ? [] : [since + 1];
  });
  return begins.length === 0 ? undefined : Math.min(...begins);
}

export interface MapTimeProps {
  readonly layers: readonly ShownLayer[];
  readonly collections: ReadonlyMap<string, Collection> | undefined;
  readonly at: string | undefined;
  readonly onChange: (at: string | undefined) => void;
}

/** Nothing where no table has a history. */
export function MapTime({ layers, collections, at, onChange }: MapTimeProps) {
  const since = sinceOf(layers, collections);
  const [until] = useState(() => Date.now());
  const go = useCallback(
    (instant: number) => onChange(instant < until ? new Date(instant).toISOString() : undefined),
    [onChange, until],
  );
  if (since === undefined) return null;
  return (
    <Instant
      label={t("As it was")}
      from={since}
      until={until}
      value={at === undefined ? undefined : Date.parse(at)}
      onChange={go}
      onNow={() => go(until)}
    />
  );
}
