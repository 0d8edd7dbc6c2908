/** Saves the open map under its name or another, removes it, and shares it. */
import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import {
  changeMap,
  createMap,
  removeMap,
  savedMap,
  type MapLayer,
  type MapView,
  type SavedMap,
} from "../../service/maps.ts";
import { nameOf } from "../../service/saved.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { SavedConflict } from "../../ui/forms/SavedConflict.tsx";
import { VersionsDialog } from "../../ui/forms/VersionsDialog.tsx";
import { useAttempt } from "../../ui/hooks/useAttempt.ts";
import type { MapSource } from "../../ui/map/layers/mapSource.ts";
import { ShareDialog } from "./ShareDialog.tsx";
import { plural, t } from "../../words/words.ts";

export interface SaveToolsProps {
  readonly source: MapSource;
  readonly saved: SavedMap | undefined;
  /** The version that the draft comes from; undefined for a new map. */
  readonly version: number | undefined;
  /** Whether the layers have changes that are not saved. */
  readonly isChanged: boolean;
  readonly draft: { readonly layers: readonly MapLayer[]; readonly view: MapView | undefined };
  readonly at: string | undefined;
  /** The map has another version, with the same layers. */
  readonly onVersion: (version: number) => void;
  /** `version`: of the saved map; undefined where it was saved as another one. */
  readonly onSaved: (version?: number) => void;
  readonly onDiscard: () => void;
}

type Opened = "save" | "remove" | "share" | "versions";

export function SaveTools(props: SaveToolsProps) {
  const { source, saved, version, isChanged, draft, at, onVersion, onSaved, onDiscard } = props;
  const client = useQueryClient();
  const [open, setOpen] = useState<Opened>();
  const { error, isBusy, run, clear } = useAttempt();
  const { save, saveOver } = useSave({ saved, draft, onSaved });

  async function reload(): Promise<void> {
    onSaved();
    await client.invalidateQueries({ queryKey: savedMap(saved!.name).queryKey });
    location.reload();
  }

  return (
    <>
      <Buttons
        saved={saved}
        isChanged={isChanged}
        isBusy={isBusy}
        onSave={() => void run(() => save(version ?? saved!.version))}
        onDiscard={onDiscard}
        onOpen={setOpen}
      />
      <SavedConflict
        error={error}
        choice={{
          onOver: () => void run(saveOver),
          onTheirs() {
            clear();
            void reload();
          },
        }}
        onClose={clear}
      />
      {open === "save" && (
        <SaveDialog draft={draft} saved={saved} onSaved={onSaved} onClose={() => setOpen(undefined)} />
      )}
      {open === "share" && saved && (
        <ShareDialog
          source={source}
          saved={saved}
          draft={draft}
          at={at}
          onShared={(from, to) => {
            if (from === version) onVersion(to); // else somebody has saved other layers meanwhile
          }}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "versions" && saved && (
        <VersionsDialog
          kind="maps"
          thing={saved}
          summaryOf={({ layers }) => plural((layers as readonly unknown[]).length, "{count} layer", "{count} layers")}
          onRestored={reload}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "remove" && saved && <RemoveDialog saved={saved} onClose={() => setOpen(undefined)} />}
    </>
  );
}

interface ButtonsProps extends Pick<SaveToolsProps, "saved" | "isChanged" | "onDiscard"> {
  readonly isBusy: boolean;
  readonly onSave: () => void;
  readonly onOpen: (dialog: Opened) => void;
}

function Buttons({ saved, isChanged, isBusy, onSave, onDiscard, onOpen }: ButtonsProps) {
  return (
    <span className="tools">
      <span className="quiet" role="status">
        {isChanged ? t("Unsaved layers") : ""}
      </span>
      {isChanged && (
        <button type="button" className="plain" onClick={onDiscard}>
          {t("Discard the changes")}
        </button>
      )}
      {saved?.may_change && (
        <button type="button" className="primary" aria-disabled={isBusy} onClick={onSave}>
          {t("Save")}
        </button>
      )}
      <button type="button" className={saved?.may_change ? "" : "primary"} onClick={() => onOpen("save")}>
        {saved ? t("Save as …") : t("Save …")}
      </button>
      {saved && (
        <button type="button" onClick={() => onOpen("share")}>
          {t("Share")}
        </button>
      )}
      {saved?.may_change && (
        <button type="button" onClick={() => onOpen("versions")}>
          {t("Versions")}
        </button>
      )}
      {saved?.may_change && (
        <button type="button" className="plain" onClick={() => onOpen("remove")}>
          {t("Remove")}
        </button>
      )}
    </span>
  );
}

function useSave({ saved, draft, onSaved }: Pick<SaveToolsProps, "saved" | "draft" | "onSaved">) {
  const client = useQueryClient();

  async function save(from: number): Promise<void> {
    onSaved(await changeMap(saved!.name, { layers: [...draft.layers], view: draft.view ?? null }, from));
    await client.invalidateQueries({ queryKey: ["maps"] });
  }

  /** Saves over what somebody else has saved. */
  async function saveOver(): Promise<void> {
    const now = await client.fetchQuery({ ...savedMap(saved!.name), staleTime: 0 });
    await save(now.version);
  }

  return { save, saveOver };
}

function SaveDialog({
  draft,
  saved,
  onSaved,
  onClose,
}: Pick<SaveToolsProps, "draft" | "saved" | "onSaved"> & { readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [title, setTitle] = useState("");
  const [typed, setTyped] = useState<string>();
  const name = typed ?? nameOf(title);

  async function save(): Promise<void> {
    await createMap({
      name,
      title: title === "" ? null : title,
      layers: [...draft.layers],
      view: draft.view ?? null,
    });
    onSaved();
    await client.invalidateQueries({ queryKey: ["maps"] });
    await navigate({ to: "/workspace/$name", params: { name } });
  }

  return (
    <FormDialog
      title={saved ? t("Save as another map") : t("Save the map")}
      action={t("Save")}
      onSubmit={save}
      onClose={onClose}
    >
      <Field label={t("Title")}>
        <input value={title} maxLength={200} autoFocus onChange={({ target }) => setTitle(target.value)} />
      </Field>
      <Field label={t("Name")} hint={t("1 to 60 of a-z, 0-9 and -, for its address")}>
        <input
          value={name}
          required
          pattern="[a-z0-9\-]{1,60}"
          spellCheck={false}
          onChange={({ target }) => setTyped(target.value)}
        />
      </Field>
    </FormDialog>
  );
}

function RemoveDialog({ saved, onClose }: { readonly saved: SavedMap; readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();

  async function remove(): Promise<void> {
    await removeMap(saved.name);
    await navigate({ to: "/workspace" });
    await client.invalidateQueries({ queryKey: ["maps"] });
  }

  return (
    <FormDialog
      title={t("Remove {title}", { title: saved.title ?? saved.name })}
      action={t("Remove")}
      isDanger
      onSubmit={remove}
      onClose={onClose}
    >
      <p>{t("The map is removed for everybody it is shared with. The data of its layers stay.")}</p>
    </FormDialog>
  );
}
