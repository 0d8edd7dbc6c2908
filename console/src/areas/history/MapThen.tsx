/** The map of a table as it was at an instant. */
import { useQuery } from "@tanstack/react-query";
import { collectionPath, extentOf } from "../../service/maps.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { MapView } from "../../ui/map/MapView.tsx";
import { t } from "../../words/words.ts";

export interface MapThenProps {
  readonly relation: Relation;
  /** Undefined for the present. */
  readonly at: string | undefined;
}

export function MapThen({ relation: { schema, table }, at }: MapThenProps) {
  const database = useAccount().data?.database;
  const extent = useQuery({ ...extentOf(database ?? "", schema, table), enabled: database !== undefined });
  if (extent.error && !extent.data) return <ErrorNote error={extent.error} />;
  if (database === undefined || !extent.data) return <p className="quiet">{t("One moment …")}</p>;
  return (
    <>
      <ErrorNote error={extent.error} />
      <MapView
        label={at === undefined ? t("Map of {table}", { table }) : t("Map of {table} then", { table })}
        path={collectionPath(database, schema, table)}
        extent={extent.data}
        style={undefined}
        at={at}
      />
    </>
  );
}
