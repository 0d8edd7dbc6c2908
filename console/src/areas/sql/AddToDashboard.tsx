/** Puts the last statement on a dashboard as a panel. */
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { dashboards, savedDashboards, type Show } from "../../service/dashboards.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { ShowField } from "../../ui/results/ShowField.tsx";
import type { QueryChart } from "../../service/sql/charts.ts";
import type { Runnable } from "../../service/sql/statements.ts";
import { t } from "../../words/words.ts";

export interface AddToDashboardProps {
  readonly runnable: Runnable;
  /** The chart that the result is shown as. */
  readonly chart: QueryChart | null;
  readonly onClose: () => void;
}

export function AddToDashboard({ runnable: { text: q, params }, chart, onClose }: AddToDashboardProps) {
  const { data = [] } = useQuery(dashboards);
  const client = useQueryClient();
  const navigate = useNavigate();
  const own = data.filter((each) => each.may_change);
  const [chosen, setChosen] = useState<string>();
  const [made, setMade] = useState("");
  const [title, setTitle] = useState("");
  const [show, setShow] = useState<Show>(chart?.show ?? "table");
  const to = own.find(({ name }) => name === (chosen ?? own[0]?.name));

  async function save(): Promise<void> {
    const isSame = chart?.show === show;
    const panel = {
      q,
      ...(isSame ? chart : { show }),
      ...(title !== "" && { title }),
      ...(Object.keys(params).length > 0 && { params }),
    };
    if (to) await savedDashboards.change(to, { panels: [...to.panels, panel] });
    else await savedDashboards.add({ name: made, panels: [panel] });
    await client.invalidateQueries({ queryKey: dashboards.queryKey });
    await navigate({ to: "/dashboards/$name", params: { name: to?.name ?? made } });
  }

  return (
    <FormDialog title={t("Add to a dashboard")} action={t("Add")} onSubmit={save} onClose={onClose}>
      <Field label={t("Dashboard")}>
        <select value={to?.name ?? ""} onChange={({ target }) => setChosen(target.value)}>
          {own.map((each) => (
            <option key={each.name} value={each.name}>
              {each.title ?? each.name}
            </option>
          ))}
          <option value="">{t("a new one")}</option>
        </select>
      </Field>
      {!to && (
        <Field label={t("Name of the dashboard")} hint={t("a-z, 0-9 and -")}>
          <input required pattern="[a-z0-9\-]{1,60}" value={made} onChange={({ target }) => setMade(target.value)} />
        </Field>
      )}
      <Field label={t("Title of the panel")}>
        <input maxLength={200} value={title} onChange={({ target }) => setTitle(target.value)} />
      </Field>
      <ShowField show={show} onChange={setShow} />
    </FormDialog>
  );
}
