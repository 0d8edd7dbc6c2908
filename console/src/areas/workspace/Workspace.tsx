/** Maps of several layers: a new one, or a saved one by its name. */
import { useQuery } from "@tanstack/react-query";
import { Link, useParams, useSearch } from "@tanstack/react-router";
import { useMemo } from "react";
import { ask, ServiceError } from "../../service/http/ask.ts";
import { basemaps } from "../../service/http/address.ts";
import { savedMap } from "../../service/maps.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { NotFound } from "../../ui/NotFound.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import type { MapSource } from "../../ui/map/layers/mapSource.ts";
import { WorkspacePage } from "./WorkspacePage.tsx";
import { readPlace } from "../../ui/map/layers/place.ts";
import { t } from "../../words/words.ts";

export function Workspace() {
  const { name } = useParams({ strict: false });
  const { at, layer, style = false, view } = useSearch({ strict: false });
  const { data: account } = useAccount();
  const saved = useQuery({ ...savedMap(name ?? ""), enabled: name !== undefined });
  const [database, caller] = [account?.database, account?.sub];
  const source = useMemo(
    (): MapSource | undefined =>
      database === undefined || caller === undefined ? undefined : { database, caller, ask, basemaps },
    [database, caller],
  );
  if (saved.error instanceof ServiceError && saved.error.code === "NOT_FOUND" && !saved.data)
    return (
      <NotFound what={t("There is no map {name}, or it is not shared with you.", { name })}>
        <Link to="/workspace">{t("New map")}</Link>
      </NotFound>
    );
  if (saved.error && !saved.data) return <ErrorNote error={saved.error} />;
  if (!source || (name !== undefined && !saved.data)) return <p className="empty">{t("One moment …")}</p>;
  return (
    <WorkspacePage
      key={JSON.stringify([name, layer])}
      source={source}
      error={saved.error}
      saved={saved.data}
      first={layer}
      at={at}
      hasStyleOpen={style}
      place={readPlace(view)}
    />
  );
}
