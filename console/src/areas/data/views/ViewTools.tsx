/** Chooses the view of the rows and its columns, shows which saved view is open, and saves its changes. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, Suspense, useState, type ReactNode } from "react";
import type { Relation } from "../../../service/rows/relations.ts";
import { withKind, type Fields, type Kind, type ViewSearch } from "../../../service/rows/viewSearch.ts";
import { isChanged, settingsOf, views, type View } from "../../../service/views.ts";
import { ErrorNote } from "../../../ui/ErrorNote.tsx";
import { SavedConflict } from "../../../ui/forms/SavedConflict.tsx";
import { useAttempt } from "../../../ui/hooks/useAttempt.ts";
import { useReadChoices } from "./useChoices.ts";
import { columnsFor, fieldsOf, kindsOf } from "./useView.ts";
import { ofService, t } from "../../../words/words.ts";

const VersionsDialog = lazy(async () => ({
  default: (await import("../../../ui/forms/VersionsDialog.tsx")).VersionsDialog,
}));

const KIND_NAMES: Readonly<Record<Kind, string>> = {
  grid: t("Grid"),
  form: t("Form"),
  cards: t("Cards"),
  calendar: t("Calendar"),
  kanban: t("Kanban board"),
  map: t("Map"),
};

const FIELD_NAMES: Readonly<Record<keyof Fields, string>> = {
  label: t("Title"),
  date: t("Day"),
  until: t("Last day"),
  group: t("Columns by"),
  geometry: t("Geometry"),
};

const SHOWN: Readonly<Partial<Record<Kind, readonly (keyof Fields)[]>>> = {
  form: ["label"],
  cards: ["label"],
  calendar: ["date", "until", "label"],
  kanban: ["group", "label"],
  map: ["geometry"],
};

export interface ViewToolsProps {
  readonly relation: Relation;
  readonly search: ViewSearch;
  readonly onSearch: (search: ViewSearch) => void;
  /** Further tools, after the choices. */
  readonly children: ReactNode;
}

export function ViewTools({ relation, search, onSearch, children }: ViewToolsProps) {
  const kind = search.as ?? "grid";
  const kinds = kindsOf(relation);
  const fields = fieldsOf(kind, relation, search.fields);
  const readChoices = useReadChoices(relation);

  async function change(next: Kind): Promise<void> {
    const { label: _label, ...needed } = fieldsOf(next, await readChoices(next), search.fields);
    const given = Object.entries(needed).map(([field, column]) => [field, column.name] as const);
    onSearch(withKind(search, next, Object.fromEntries(given)));
  }

  return (
    <div className="view-tools tools">
      <label>
        {t("Show as")}{" "}
        <select value={kind} onChange={({ target }) => void change(target.value as Kind)}>
          {kinds.map((each) => (
            <option key={each} value={each}>
              {KIND_NAMES[each]}
            </option>
          ))}
        </select>
      </label>
      {SHOWN[kind]?.map((field) => (
        <label key={field}>
          {FIELD_NAMES[field]}{" "}
          <select
            value={fields[field]?.name ?? ""}
            onChange={({ target }) => {
              const { [field]: _before, ...others } = search.fields ?? {};
              onSearch({
                ...search,
                fields: { ...others, ...(target.value !== "" && { [field]: target.value }) },
              });
            }}
          >
            {field === "until" && <option value="">{t("none")}</option>}
            {columnsFor(field, relation).map(({ name }) => (
              <option key={name}>{name}</option>
            ))}
          </select>
        </label>
      ))}
      {children}
      {search.view !== undefined && <OpenView name={search.view} search={search} onSearch={onSearch} />}
    </div>
  );
}

interface OpenViewProps {
  readonly name: string;
  readonly search: ViewSearch;
  readonly onSearch: (search: ViewSearch) => void;
}

function OpenView({ name, search, onSearch }: OpenViewProps) {
  const { data, error } = useQuery(views.all);
  const view = data?.find((each) => each.name === name);
  const { view: _closed, ...without } = search;
  if (error && !data) return <ErrorNote error={error} />;
  if (!data) return undefined;
  if (view)
    return (
      <Opened
        key={name}
        view={view}
        search={search}
        onTheirs={() => onSearch({ view: name })}
        onClose={() => onSearch(without)}
      />
    );
  return <span className="quiet">{t("There is no view {name}, or it is not shared with you.", { name })}</span>;
}

function Opened({
  view,
  search,
  onTheirs,
  onClose,
}: {
  readonly view: View;
  readonly search: ViewSearch;
  /** Shows the view as it is saved. */
  readonly onTheirs: () => void;
  readonly onClose: () => void;
}) {
  const client = useQueryClient();
  const { error, isBusy, run, clear } = useAttempt();
  const hasChanged = isChanged(view, search);
  const [version, setVersion] = useState(view.version); // of the view that the address was last the same as
  if (!hasChanged && version !== view.version) setVersion(view.version);
  const [isComparing, setIsComparing] = useState(false);

  const readAgain = (): Promise<void> => client.invalidateQueries({ queryKey: views.all.queryKey });

  async function save(write: typeof views.change): Promise<void> {
    await write({ name: view.name, version }, settingsOf(search));
    await readAgain();
  }

  return (
    <>
      <span className="chip">
        {view.title ?? view.name}
        {hasChanged && <span className="quiet"> {t("changed")}</span>}
        <button
          type="button"
          className="plain"
          aria-label={t("Leave the view {title}", { title: view.title ?? view.name })}
          onClick={onClose}
        >
          ×
        </button>
      </span>
      {hasChanged && view.may_change && (
        <button type="button" aria-disabled={isBusy} onClick={() => void run(() => save(views.change))}>
          {t("Save the view")}
        </button>
      )}
      {view.may_change && (
        <button type="button" onClick={() => setIsComparing(true)}>
          {t("Versions")}
        </button>
      )}
      {isComparing && (
        <Suspense>
          <VersionsDialog
            kind="views"
            thing={view}
            summaryOf={({ kind }) => ofService(String(kind))}
            onRestored={async () => {
              await readAgain();
              onTheirs();
            }}
            onClose={() => setIsComparing(false)}
          />
        </Suspense>
      )}
      <SavedConflict
        error={error}
        choice={{
          onOver: () => void run(() => save(views.overwrite)),
          onTheirs() {
            clear();
            void readAgain().then(onTheirs);
          },
        }}
        onClose={clear}
      />
    </>
  );
}
