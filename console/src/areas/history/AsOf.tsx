/** The rows of a table as they were at an instant, for viewing and restoring. */
import { lazy, Suspense, useState } from "react";
import { toChoice, withNextSort, type HistorySearch } from "../../service/rows/gridSearch.ts";
import { shapeOfTypes } from "../../service/maps.ts";
import type { Relation } from "../../service/rows/relations.ts";
import type { Row } from "../../service/rows/rows.ts";
import { rowsText, useRows } from "../../service/rows/useRows.ts";
import { FilterBar } from "../../ui/grid/FilterBar.tsx";
import { Grid } from "../../ui/grid/Grid.tsx";
import { ToldNote, type Told } from "../../ui/grid/ToldNote.tsx";
import { RestoreDialog } from "./RestoreDialog.tsx";
import { t } from "../../words/words.ts";

/** Changes of the address; undefined removes a part. */
export type SearchChange = { readonly [Name in keyof HistorySearch]?: HistorySearch[Name] | undefined };

export interface AsOfProps {
  readonly relation: Relation;
  readonly search: HistorySearch;
  readonly onSearch: (change: SearchChange) => void;
  readonly onRestored: (sentence: string) => Promise<void>;
}

/** Loaded on demand, because it includes OpenLayers. */
const MapThen = lazy(() => import("./MapThen.tsx").then(({ MapThen: part }) => ({ default: part })));

const NONE: ReadonlyMap<string, Row> = new Map();

export function AsOf({ relation, search, onSearch, onRestored }: AsOfProps) {
  const { at } = search;
  const choice = { ...toChoice(search), at };
  const { rows, count, error, isPending, onSight } = useRows(relation.schema, relation, choice);
  const [selected, setSelected] = useState(NONE);
  const [told, setTold] = useState<Told>(null);
  const [isRestoring, setRestoring] = useState(false);
  return (
    <>
      <FilterBar columns={relation.columns} where={choice.where} onChange={(where) => onSearch({ where })} />
      <div className="tools">
        <span className="quiet" aria-live="polite">
          {count === undefined
            ? ""
            : at === undefined
              ? t("{rows} now", { rows: rowsText(count) })
              : t("{rows} then", { rows: rowsText(count) })}
        </span>
        <button
          type="button"
          aria-disabled={selected.size !== 1}
          onClick={() => onSearch({ key: [...selected.keys()][0]! })}
        >
          {t("Life of the row")}
        </button>
        {shapeOfTypes(relation.columns.map(({ sqlType }) => sqlType)) !== undefined && (
          <button
            type="button"
            aria-pressed={search.map ?? false}
            onClick={() => onSearch({ map: search.map ? undefined : true })}
          >
            {t("Map")}
          </button>
        )}
        {relation.canUpdate && at !== undefined && (
          <button type="button" aria-disabled={selected.size === 0} onClick={() => setRestoring(true)}>
            {selected.size > 0 ? t("Restore {count}", { count: selected.size }) : t("Restore")}
          </button>
        )}
      </div>
      <ToldNote told={told} error={error} onClose={() => setTold(null)} />
      {!isPending && !error && rows.length === 0 && (
        <p className="empty">
          {choice.where ? t("No row matches this filter.") : t("There was no row that you may see.")}
        </p>
      )}
      {(rows.length > 0 || isPending) && (
        <Grid
          relation={relation}
          rows={rows}
          sort={choice.sort}
          onSort={(column) => onSearch({ sort: withNextSort(search, column).sort })}
          selected={selected}
          onSelect={setSelected}
          onWrite={undefined}
          onTell={setTold}
          onSight={onSight}
        />
      )}
      {search.map && (
        <Suspense fallback={<p className="quiet">{t("One moment …")}</p>}>
          <MapThen relation={relation} at={at} />
        </Suspense>
      )}
      {isRestoring && at !== undefined && (
        <RestoreDialog
          relation={relation}
          keys={[...selected.keys()]}
          at={at}
          onClose={() => setRestoring(false)}
          onDone={async (sentence) => {
            setSelected(NONE);
            await onRestored(sentence);
          }}
        />
      )}
    </>
  );
}
