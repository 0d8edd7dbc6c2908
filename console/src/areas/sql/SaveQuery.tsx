/** Saves the statement of the editor, under the name of the open query or another one. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queries, savedQueries, type Query } from "../../service/queries.ts";
import { membersOf, textOf } from "../../service/saved.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { SavedFields } from "../../ui/forms/SavedFields.tsx";
import { t } from "../../words/words.ts";

export interface SaveQueryProps {
  readonly text: string;
  /** The open query, which is changed by saving under its name. */
  readonly before: Query | undefined;
  readonly onSaved: (query: Query) => void;
  readonly onClose: () => void;
}

export function SaveQuery({ text, before, onSaved, onClose }: SaveQueryProps) {
  const client = useQueryClient();
  const [saved, setSaved] = useState(textOf(before));
  const { name } = saved;

  async function save(): Promise<void> {
    const members = { ...membersOf(saved), q: text };
    if (name === before?.name) await queries.change(before, members);
    else await queries.add({ name, ...members });
    await client.invalidateQueries({ queryKey: savedQueries.queryKey });
    const now = client.getQueryData(savedQueries.queryKey)?.find((each) => each.name === name);
    if (now) onSaved(now);
  }

  return (
    <FormDialog title={t("Save the query")} action={t("Save")} onSubmit={save} onClose={onClose}>
      <SavedFields text={saved} onChange={setSaved} />
      <p className="quiet">{t("Who runs it needs the rights for it: sharing a query shares no data.")}</p>
    </FormDialog>
  );
}
