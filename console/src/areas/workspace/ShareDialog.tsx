/** The sharing of a map, and ways to open it: links, and code for other pages. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { service } from "../../service/http/address.ts";
import { changeMap, savedMap, type MapLayer, type MapView, type SavedMap } from "../../service/maps.ts";
import { EVERYBODY } from "../../service/saved.ts";
import { CodeSamples } from "../../ui/code/CodeSamples.tsx";
import { CopiedLink } from "../../ui/code/CopiedLink.tsx";
import { Dialog } from "../../ui/forms/Dialog.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { NamesField } from "../../ui/forms/NamesField.tsx";
import { SavedConflict } from "../../ui/forms/SavedConflict.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import type { MapSource } from "../../ui/map/layers/mapSource.ts";
import { placeText } from "../../ui/map/layers/place.ts";
import { snippetsOf } from "./snippets.ts";
import { useHiddenFromVisitors } from "./visitors.ts";
import { t } from "../../words/words.ts";

export interface ShareDialogProps {
  readonly source: MapSource;
  readonly saved: SavedMap;
  readonly draft: { readonly layers: readonly MapLayer[]; readonly view: MapView | undefined };
  readonly at: string | undefined;
  /** Called with the version that was shared, and the one that this made. */
  readonly onShared: (from: number, to: number) => void;
  readonly onClose: () => void;
}

/** The accounts and groups, as they are typed. */
function namesOf({ shared }: SavedMap): string {
  return shared.filter((name) => name !== EVERYBODY).join(", ");
}

export function ShareDialog({ source, saved, draft: { view }, at, onShared, onClose }: ShareDialogProps) {
  const client = useQueryClient();
  const { error, isBusy, run, clear } = useAttempt();
  const [version, setVersion] = useState(saved.version);
  const [isPublic, setIsPublic] = useState(saved.shared.includes(EVERYBODY));
  const [names, setNames] = useState(namesOf(saved));
  const shared = [...names.split(/[\s,]+/).filter((name) => name !== ""), ...(isPublic ? [EVERYBODY] : [])].sort();
  const isChanged = JSON.stringify(shared) !== JSON.stringify([...saved.shared].sort());
  const query = new URLSearchParams({
    ...(view && { view: placeText(view) }),
    ...(at !== undefined && { at }),
  });

  async function save(from: number): Promise<void> {
    const to = await changeMap(saved.name, { shared }, from);
    setVersion(to);
    onShared(from, to);
    await client.invalidateQueries({ queryKey: ["maps"] });
  }

  const readNow = (): Promise<SavedMap> => client.fetchQuery({ ...savedMap(saved.name), staleTime: 0 });

  const choice = {
    onOver: () => void run(async () => save((await readNow()).version)),
    onTheirs: () =>
      void run(async () => {
        const now = await readNow();
        setVersion(now.version);
        setIsPublic(now.shared.includes(EVERYBODY));
        setNames(namesOf(now));
      }),
  };

  return (
    <Dialog title={t("Share {title}", { title: saved.title ?? saved.name })} onClose={onClose}>
      {saved.may_change && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run(() => save(version));
          }}
        >
          <div className="fields">
            <Field label={t("Accounts and groups")} hint={t("Names with commas between them")}>
              <NamesField value={names} onChange={setNames} />
            </Field>
            <label>
              <input type="checkbox" checked={isPublic} onChange={({ target }) => setIsPublic(target.checked)} />{" "}
              {t("Everybody, also without an account")}
            </label>
          </div>
          <Consequences isPublic={isPublic} />
          <SavedConflict error={error} choice={choice} onClose={clear} />
          <div className="tools">
            <button type="submit" aria-disabled={isBusy || !isChanged}>
              {t("Save")}
            </button>
          </div>
        </form>
      )}
      <h3>{at === undefined ? t("Link with this view") : t("Link with this view and time")}</h3>
      <CopiedLink text={`${service}/console/workspace/${saved.name}?${query}`} />
      {saved.shared.includes(EVERYBODY) && <PublicPage source={source} saved={saved} query={query} />}
      <div className="tools">
        <button type="button" className="plain" onClick={onClose}>
          {t("Close")}
        </button>
      </div>
    </Dialog>
  );
}

interface PublicPageProps extends Pick<ShareDialogProps, "source" | "saved"> {
  /** The view and the instant. */
  readonly query: URLSearchParams;
}

/** The address of the public page, and code that shows the map elsewhere. */
function PublicPage({ source, saved, query }: PublicPageProps) {
  const isHidden = useHiddenFromVisitors(source, saved);
  const page = `${service}/maps/${encodeURIComponent(source.database)}/${saved.name}`;
  return (
    <>
      <h3>{t("Public page")}</h3>
      <CopiedLink text={`${page}${query.size > 0 ? `?${query}` : ""}`} />
      <CodeSamples label={t("For pages")} samples={snippetsOf({ source, page: `${page}?${query}`, saved, isHidden })} />
      <p className="quiet">
        {t(
          "A page of another site may embed the map where the administrator has named its origin (option embedOrigins).",
        )}
      </p>
    </>
  );
}

function Consequences({ isPublic }: { readonly isPublic: boolean }) {
  return (
    <p className="quiet">
      {t("Readers see only the rows that their own rights allow.")}{" "}
      {!isPublic && t("If everybody may read the map, it gets a public page and code for other pages.")}
    </p>
  );
}
