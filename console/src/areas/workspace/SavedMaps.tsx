/** The maps that the account has saved, and those that are shared with it. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { savedMaps } from "../../service/maps.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { t } from "../../words/words.ts";

export interface SavedMapsProps {
  /** The name of the open map; undefined for a new one. */
  readonly open: string | undefined;
  /** Whether the open map has begun with a table. */
  readonly hasTable: boolean;
}

export function SavedMaps({ open, hasTable }: SavedMapsProps) {
  const { data: account } = useAccount();
  const { data, error } = useQuery(savedMaps);
  return (
    <section className="saved-maps" aria-label={t("Saved maps")}>
      <h2>{t("Saved maps")}</h2>
      <ErrorNote error={error} />
      {data?.length === 0 && <p className="quiet">{t("None yet. Save this map to find it here, and to share it.")}</p>}
      <ul>
        {data?.map(({ name, title, owner, may_change: isOwn }) => (
          <li key={name}>
            <Link to="/workspace/$name" params={{ name }} aria-current={name === open ? "page" : undefined}>
              {title ?? name}
            </Link>
            {!isOwn && <span className="quiet"> {t("of {owner}", { owner: owner ?? t("the operator") })}</span>}
          </li>
        ))}
      </ul>
      {(open !== undefined || hasTable) && (
        <Link to="/workspace" activeOptions={{ exact: true }}>
          {t("New map")}
        </Link>
      )}
      {account?.superUser && (
        <p>
          <Link to="/pyramids">{t("Pyramids of tiles")}</Link>
        </p>
      )}
    </section>
  );
}
