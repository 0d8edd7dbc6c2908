/** The features at a place of the map, of all visible layers, with links to their rows. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { useEffect, useMemo, useState } from "react";
import type { Table } from "../../service/rows/relations.ts";
import { shorten, show } from "../../service/rows/values.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { featuresAt, MOST_AT, type Found, type PickedPlace } from "../../ui/map/layers/featuresAt.ts";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import type { MapSource } from "../../ui/map/layers/mapSource.ts";
import { t } from "../../words/words.ts";

/** The most characters of a text in the title of a feature. */
const LONGEST = 40;

export interface FeaturePanelProps {
  readonly source: MapSource;
  readonly picked: PickedPlace;
  readonly layers: readonly ShownLayer[];
  readonly at: string | undefined;
  readonly onClose: () => void;
  /** The features that are shown. */
  readonly onFound: (found: readonly Found[]) => void;
}

export function FeaturePanel({ source, picked, layers, at, onClose, onFound }: FeaturePanelProps) {
  const asked = layers.filter(({ collection, visible = true }) => collection !== undefined && visible);
  const { data, error, isPending } = useQuery({
    queryKey: [
      "features at",
      source.database,
      source.caller,
      picked,
      at,
      asked.map((each) => [each.collection, each.filter]),
    ],
    queryFn: ({ signal }) => featuresAt(source, { picked, layers: asked, at }, signal),
    gcTime: 0,
  });
  const all = useMemo(() => (data ?? NOTHING).flatMap(eachOf), [data]);
  const isMore = data?.some(({ features }) => features.length > MOST_AT) ?? false;
  const [wanted, setWanted] = useState<string>();
  const chosen = all.find(({ id }) => id === wanted) ?? all[0];
  useEffect(() => {
    if (data) onFound(chosen ? [chosen.found] : []);
  }, [data, chosen, onFound]);
  return (
    <section className="side-panel" aria-label={t("Features here")}>
      <div className="head">
        <h2>{t("Features here")}</h2>
        <span className="tools">
          <button type="button" className="plain" onClick={onClose}>
            {t("Close")}
          </button>
        </span>
      </div>
      <ErrorNote error={error} />
      <p aria-live="polite" className="quiet">
        {isPending ? t("One moment …") : data?.length === 0 ? t("There is nothing here.") : ""}
      </p>
      {all.length > 1 && (
        <>
          <p className="quiet">
            {isMore
              ? t("More than {count} features are here. Choose one, or zoom in to tell them apart.", {
                  count: all.length,
                })
              : t("{count} features are here. Choose one.", { count: all.length })}
          </p>
          <ul className="choices found-choices">
            {all.map(({ id, found, feature }) => (
              <li key={id}>
                <button type="button" className="plain" aria-pressed={id === chosen?.id} onClick={() => setWanted(id)}>
                  {featureTitle(feature)} <span className="quiet">{found.collection}</span>
                </button>
              </li>
            ))}
          </ul>
        </>
      )}
      {data?.map(
        ({ collection, error: failure }) =>
          failure && (
            <div key={collection}>
              <h3>{collection}</h3>
              <ErrorNote error={failure} />
            </div>
          ),
      )}
      {chosen && <FoundFeature key={chosen.id} found={chosen.found} />}
    </section>
  );
}

const NOTHING: readonly Found[] = [];

type Feature = Found["features"][number];

interface One {
  readonly id: string;
  /** The collection with this feature alone. */
  readonly found: Found;
  readonly feature: Feature;
}

function eachOf(found: Found): readonly One[] {
  return found.features
    .slice(0, MOST_AT)
    .map((feature) => ({ id: `${found.collection} ${feature.id}`, found: { ...found, features: [feature] }, feature }));
}

/** The id of a feature, and its name, or its first text. */
function featureTitle({ id, properties }: Feature): string {
  const texts = Object.values(properties).filter((value) => typeof value === "string" && value !== id);
  const { name = texts[0] } = properties;
  const text = texts.includes(name) ? name : texts[0];
  return text === undefined ? id : `${id} · ${shorten(String(text), LONGEST)}`;
}

function FoundFeature({ found: { collection, features } }: { readonly found: Found }) {
  const [schema = "", ...rest] = collection.split(".");
  const name = rest.join(".");
  const { data: tables } = useQuery(tablesOf(schema));
  const table = tables?.find((each) => each.name === name);
  return (
    <>
      <h3>{collection}</h3>
      {features.map((feature) => (
        <div key={feature.id} className="found">
          <dl>
            {Object.entries(feature.properties).map(([property, value]) => (
              <div key={property}>
                <dt>{property}</dt>
                <dd>{value === null ? <span className="null">null</span> : show(value)}</dd>
              </div>
            ))}
          </dl>
          {table && (
            <Link to="/data/$schema/$table" params={{ schema, table: name }} search={rowSearch(table, feature)}>
              {t("Its row")}
            </Link>
          )}
        </div>
      ))}
    </>
  );
}

/** The search for one row by its key. */
function rowSearch(table: Table, { id, properties }: Feature) {
  const conditions = table.key.flatMap((name) => {
    const field = table.columns.find((column) => column.name === name)?.graphql_field;
    const value = properties[name] ?? (table.key.length === 1 ? id : undefined);
    return field === undefined || field === null || value === undefined ? [] : [[field, { eq: value }] as const];
  });
  return conditions.length === 0 ? {} : { where: Object.fromEntries(conditions) };
}
