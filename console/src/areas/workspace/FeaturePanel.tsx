/** The features at a place of the map, of all visible layers, with links to their rows. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { Table } from "../../service/rows/relations.ts";
import { show } from "../../service/rows/values.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { featuresAt, MOST_AT, type Found, type PickedPlace } from "../../ui/map/layers/featuresAt.ts";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import type { MapSource } from "../../ui/map/layers/mapSource.ts";
import { t } from "../../words/words.ts";

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
    queryFn: async ({ signal }) => {
      const found = await featuresAt(source, { picked, layers: asked, at }, signal);
      onFound(found);
      return found;
    },
    gcTime: 0,
  });
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
      {data?.map((found) => (
        <FoundFeatures key={found.collection} found={found} />
      ))}
    </section>
  );
}

function FoundFeatures({ found: { collection, error, features } }: { readonly found: Found }) {
  const [schema = "", ...rest] = collection.split(".");
  const name = rest.join(".");
  const { data: tables } = useQuery(tablesOf(schema));
  const table = tables?.find((each) => each.name === name);
  return (
    <>
      <h3>{collection}</h3>
      <ErrorNote error={error} />
      {features.slice(0, MOST_AT).map((feature) => (
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
      {features.length > MOST_AT && <p className="quiet">{t("There are more here. Zoom in to tell them apart.")}</p>}
    </>
  );
}

/** The search for one row by its key. */
function rowSearch(table: Table, { id, properties }: Found["features"][number]) {
  const conditions = table.key.flatMap((name) => {
    const field = table.columns.find((column) => column.name === name)?.graphql_field;
    const value = properties[name] ?? (table.key.length === 1 ? id : undefined);
    return field === undefined || field === null || value === undefined ? [] : [[field, { eq: value }] as const];
  });
  return conditions.length === 0 ? {} : { where: Object.fromEntries(conditions) };
}
