/** Saves the statement of the editor, under the name of the open query or another one. */
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { queries, savedQueries, type Query } from "../../service/queries.ts";
import { membersOf, textOf } from "../../service/saved.ts";
import { SHOWS } from "../../ui/results/shows.ts";
import type { QueryChart } from "../../service/sql/charts.ts";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { SavedFields } from "../../ui/forms/SavedFields.tsx";
import { t } from "../../words/words.ts";

export interface SaveQueryProps {
  readonly text: string;
  /** The chart that its result is shown as. */
  readonly chart: QueryChart | null;
  /** The open query, which is changed by saving under its name. */
  readonly before: Query | undefined;
  readonly onSaved: (query: Query) => void;
  /** Opens what somebody else has saved under the name meanwhile. */
  readonly onTheirs: (query: Query) => void;
  readonly onClose: () => void;
}

export function SaveQuery({ text, chart, before, onSaved, onTheirs, onClose }: SaveQueryProps) {
  const client = useQueryClient();
  const [saved, setSaved] = useState(textOf(before));
  const { name } = saved;

  const isChange = name === before?.name;

  async function save(change = queries.change): Promise<void> {
    const members = { ...membersOf(saved), q: text, chart };
    if (before && isChange) await change(before, members);
    else await queries.add({ name, ...members });
    await tell(onSaved);
  }

  async function tell(of: (query: Query) => void): Promise<void> {
    await client.invalidateQueries({ queryKey: savedQueries.queryKey });
    const now = client.getQueryData(savedQueries.queryKey)?.find((each) => each.name === name);
    if (now) of(now);
  }

  return (
    <FormDialog
      title={t("Save the query")}
      action={t("Save")}
      onSubmit={save}
      {...(isChange && { conflict: { onOver: () => save(queries.overwrite), onTheirs: () => tell(onTheirs) } })}
      onClose={onClose}
    >
      <SavedFields text={saved} onChange={setSaved} />
      {chart && <p>{t("Shown as: {kind}", { kind: SHOWS[chart.show] })}</p>}
      <p className="quiet">{t("It runs with the rights of its reader: sharing a query shares no data.")}</p>
    </FormDialog>
  );
}
