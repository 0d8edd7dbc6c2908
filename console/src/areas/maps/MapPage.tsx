/** One map, and for super users its style. The map shows changes of the style at once. */
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useParams, useSearch } from "@tanstack/react-router";
import { useCallback, useState } from "react";
import { service } from "../../service/http/address.ts";
import { collectionPath, extentOf, shapeOf, styleOf } from "../../service/maps.ts";
import { findTable, tablesOf } from "../../service/tables/tables.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { MakeFileButton } from "../../ui/files/DownloadDialog.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { Instant } from "../../ui/Instant.tsx";
import { useWritten } from "../../ui/hooks/useWritten.ts";
import { MapView } from "../../ui/map/MapView.tsx";
import { StyledMap } from "./StyledMap.tsx";
import { t } from "../../words/words.ts";

export function MapPage() {
  const { schema, table: given } = useParams({ from: "/maps/$schema/$table" });
  const { at } = useSearch({ from: "/maps/$schema/$table" });
  const { data: account } = useAccount();
  const database = account?.database ?? "";
  const superUser = account?.superUser ?? false;
  const tables = useQuery(tablesOf(schema));
  const table = tables.data && findTable(tables.data, given);
  const name = table?.name ?? given;
  const extent = useQuery({ ...extentOf(database, schema, name), enabled: table !== undefined });
  const style = useQuery({ ...styleOf(schema, name), enabled: superUser && table !== undefined });
  const written = useWritten(schema, name, at === undefined);
  const shape = table && shapeOf(table);
  const path = collectionPath(database, schema, name);
  const error = tables.error ?? extent.error ?? style.error;
  if (error) return <ErrorNote error={error} />;
  if (tables.data && !shape)
    return <p className="empty">{t("There is no map of {name}, or you may not see it.", { name })}</p>;
  if (!table || !shape || !extent.data || (superUser && !style.data))
    return <p className="empty">{t("One moment …")}</p>;
  return (
    <section className="map-page" aria-label={name}>
      <div className="head">
        <h1>{name}</h1>
        <span className="tools">
          <Link className="button" to="/workspace" search={{ layer: `${schema}.${name}` }}>
            {t("Open in the workspace")}
          </Link>
          <MakeFileButton collection={`${schema}.${name}`} title={name} />
          <a href={`${service}${path}`}>{t("As a collection")}</a>
          {superUser && <Link to="/pyramids">{t("Pyramids")}</Link>}
        </span>
      </div>
      {table.versioned_since !== null && <Time since={Date.parse(table.versioned_since) + 1} />}
      {style.data ? (
        <StyledMap
          key={`${schema} ${name}`}
          schema={schema}
          table={table}
          shape={shape}
          path={path}
          extent={extent.data}
          stored={style.data}
          at={at}
          written={written}
        />
      ) : (
        <MapView
          label={t("Map of {name}", { name })}
          path={path}
          extent={extent.data}
          style={undefined}
          at={at}
          written={written}
        />
      )}
    </section>
  );
}

/** The instant of the history that the map shows. `since`: the beginning of the history, in milliseconds. */
function Time({ since }: { readonly since: number }) {
  const { at } = useSearch({ from: "/maps/$schema/$table" });
  const navigate = useNavigate({ from: "/maps/$schema/$table" });
  const [until] = useState(() => Date.now());
  const go = useCallback(
    (instant: number) => void navigate({ search: instant < until ? { at: new Date(instant).toISOString() } : {} }),
    [navigate, until],
  );
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
