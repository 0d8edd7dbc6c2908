/** What an account has saved, which becomes that of the super user who removes the account. */
import { useQueries } from "@tanstack/react-query";
import { SAVED_KINDS, savedThings, type OwnedThing, type SavedKind } from "../../service/saved.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { t } from "../../words/words.ts";

const WORDS: Readonly<Record<SavedKind, string>> = {
  maps: t("map"),
  queries: t("query"),
  dashboards: t("dashboard"),
  views: t("saved view"),
};

export function TakenOver({ account }: { readonly account: string }) {
  const found = useQueries({
    queries: SAVED_KINDS.map((plural) => ({ ...savedThings<OwnedThing>(plural).all, staleTime: 0 })),
  });
  const error = found.find((each) => each.error)?.error ?? null;
  const owned = SAVED_KINDS.flatMap((kind, index) =>
    (found[index]?.data ?? []).filter(({ owner }) => owner === account).map((thing) => ({ kind, ...thing })),
  );
  if (owned.length === 0) return <ErrorNote error={error} />;
  return (
    <>
      <ErrorNote error={error} />
      <p>{t("You become the owner of its saved things, which stay shared:")}</p>
      <ul aria-label={t("Becomes yours")}>
        {owned.map(({ kind, name, title, shared }) => (
          <li key={`${kind} ${name}`}>
            {WORDS[kind]} {title ?? name}
            {shared.length > 0 &&
              t(", shared with {shared}", { shared: shared.join(", ").replace("*", t("everybody")) })}
          </li>
        ))}
      </ul>
    </>
  );
}
