/** The saved views of a table, and the present one for saving. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import type { Relation } from "../../../service/rows/relations.ts";
import type { ViewSearch } from "../../../service/rows/viewSearch.ts";
import { membersOf, textOf } from "../../../service/saved.ts";
import { relationName, searchOf, settingsOf, views, type View } from "../../../service/views.ts";
import { ErrorNote } from "../../../ui/ErrorNote.tsx";
import { FormDialog } from "../../../ui/forms/FormDialog.tsx";
import { SavedFields } from "../../../ui/forms/SavedFields.tsx";
import { useAttempt } from "../../../ui/hooks/useAttempt.ts";
import { ofService, t } from "../../../words/words.ts";

export interface ViewsDialogProps {
  readonly relation: Relation;
  /** The present settings. */
  readonly search: ViewSearch;
  readonly onClose: () => void;
}

export function ViewsDialog({ relation, search, onClose }: ViewsDialogProps) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { data, error } = useQuery(views.all);
  const own = data?.filter(({ schema, table }) => schema === relation.schema && table === relation.table) ?? [];
  const open = own.find(({ name, may_change }) => name === search.view && may_change);
  const [typed, setTyped] = useState<ReturnType<typeof textOf>>();
  const text = typed ?? textOf(open);

  const isChange = text.name === open?.name;

  async function save(change = views.change): Promise<void> {
    const members = { ...membersOf(text), ...settingsOf(search) };
    if (open && isChange) await change(open, members);
    else await views.add({ name: text.name, relation: relationName(relation), ...members });
    await client.invalidateQueries({ queryKey: views.all.queryKey });
    const { schema, table } = relation;
    await navigate({ to: "/data/$schema/$table", params: { schema, table }, search: { ...search, view: text.name } });
  }

  return (
    <FormDialog
      title={t("Views of {table}", { table: relation.table })}
      action={t("Save")}
      onClose={onClose}
      onSubmit={save}
      {...(open &&
        isChange && {
          conflict: {
            onOver: () => save(views.overwrite),
            async onTheirs() {
              await client.invalidateQueries({ queryKey: views.all.queryKey });
              const { schema, table } = relation;
              await navigate({ to: "/data/$schema/$table", params: { schema, table }, search: { view: open.name } });
            },
          },
        })}
    >
      <ErrorNote error={error} />
      {own.length === 0 && data && (
        <p className="quiet">
          {t("None yet. A view is a filter, an order, columns and a way to show the rows, under a name.")}
        </p>
      )}
      <ul className="sessions" aria-label={t("Saved views")}>
        {own.map((view) => (
          <Saved key={view.name} view={view} relation={relation} onOpen={onClose} />
        ))}
      </ul>
      <h3>{open ? t("Save what is shown now") : t("Save what is shown now as a view")}</h3>
      <SavedFields text={text} onChange={setTyped} />
      <p className="quiet">{t("Readers see only what their own rights allow: sharing a view shares no data.")}</p>
    </FormDialog>
  );
}

interface SavedProps {
  readonly view: View;
  readonly relation: Relation;
  readonly onOpen: () => void;
}

function Saved({ view, relation: { schema, table }, onOpen }: SavedProps) {
  const client = useQueryClient();
  const { error, isBusy, run } = useAttempt();
  async function remove(): Promise<void> {
    await views.remove(view);
    await client.invalidateQueries({ queryKey: views.all.queryKey });
  }
  return (
    <li>
      <span className="what">
        <Link to="/data/$schema/$table" params={{ schema, table }} search={searchOf(view)} onClick={onOpen}>
          {view.title ?? view.name}
        </Link>
        <span className="quiet">
          {t("{kind}, of {owner}", { kind: ofService(view.kind), owner: view.owner ?? t("the operator") })}
          {view.shared.length > 0 &&
            t(", shared with {shared}", { shared: view.shared.join(", ").replace("*", t("everybody")) })}
        </span>
      </span>
      {view.may_change && (
        <button
          type="button"
          className="plain"
          aria-label={t("Remove {title}", { title: view.title ?? view.name })}
          aria-disabled={isBusy}
          onClick={() => void run(remove)}
        >
          {t("Remove")}
        </button>
      )}
      <ErrorNote error={error} />
    </li>
  );
}
