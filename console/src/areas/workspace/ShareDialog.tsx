/** The sharing of a map, and ways to open it: links, and code for other pages. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { service } from "../../service/http/address.ts";
import { changeMap, type MapLayer, type MapView, type SavedMap } from "../../service/maps.ts";
import { EVERYBODY } from "../../service/saved.ts";
import { CodeSamples } from "../../ui/code/CodeSamples.tsx";
import { CopiedLink } from "../../ui/code/CopiedLink.tsx";
import { Dialog } from "../../ui/forms/Dialog.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import type { MapSource } from "../../ui/map/layers/mapSource.ts";
import { placeText } from "../../ui/map/layers/place.ts";
import { snippetsOf } from "./snippets.ts";
import { t } from "../../words/words.ts";

export interface ShareDialogProps {
  readonly source: MapSource;
  readonly saved: SavedMap;
  readonly draft: { readonly layers: readonly MapLayer[]; readonly view: MapView | undefined };
  readonly at: string | undefined;
  readonly onClose: () => void;
}

export function ShareDialog({ source, saved, draft: { view }, at, onClose }: ShareDialogProps) {
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  const [isPublic, setIsPublic] = useState(saved.shared.includes(EVERYBODY));
  const [names, setNames] = useState(saved.shared.filter((name) => name !== EVERYBODY).join(", "));
  const shared = [...names.split(/[\s,]+/).filter((name) => name !== ""), ...(isPublic ? [EVERYBODY] : [])].sort();
  const isChanged = JSON.stringify(shared) !== JSON.stringify([...saved.shared].sort());
  const query = new URLSearchParams({
    ...(view && { view: placeText(view) }),
    ...(at !== undefined && { at }),
  });
  const page = `${service}/maps/${encodeURIComponent(source.database)}/${saved.name}`;

  async function save(): Promise<void> {
    await changeMap(saved.name, { shared });
    await client.invalidateQueries({ queryKey: ["maps"] });
  }

  return (
    <Dialog title={t("Share {title}", { title: saved.title ?? saved.name })} onClose={onClose}>
      {saved.may_change && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            void run(save);
          }}
        >
          <div className="fields">
            <Field label={t("Accounts and groups")} hint={t("Names with commas between them")}>
              <input value={names} spellCheck={false} onChange={({ target }) => setNames(target.value)} />
            </Field>
            <label>
              <input type="checkbox" checked={isPublic} onChange={({ target }) => setIsPublic(target.checked)} />{" "}
              {t("Everybody, also without an account")}
            </label>
          </div>
          <p className="quiet">{t("Each reader sees the rows that its own rights let it see.")}</p>
          <ErrorNote error={error} />
          <div className="tools">
            <button type="submit" aria-disabled={isBusy || !isChanged}>
              {t("Save")}
            </button>
          </div>
        </form>
      )}
      <h3>{at === undefined ? t("Link with this view") : t("Link with this view and time")}</h3>
      <CopiedLink text={`${service}/console/workspace/${saved.name}?${query}`} />
      {saved.shared.includes(EVERYBODY) && (
        <>
          <h3>{t("Public page")}</h3>
          <CopiedLink text={`${page}${query.size > 0 ? `?${query}` : ""}`} />
          <CodeSamples label={t("For pages")} samples={snippetsOf({ source, page: `${page}?${query}`, saved })} />
          <p className="quiet">
            {t(
              "A page of another site may embed the map where the administrator has named its origin (option embedOrigins).",
            )}
          </p>
        </>
      )}
      <div className="tools">
        <button type="button" className="plain" onClick={onClose}>
          {t("Close")}
        </button>
      </div>
    </Dialog>
  );
}
