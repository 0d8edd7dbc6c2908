import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { dashboards, savedDashboards } from "../../service/dashboards.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { t } from "../../words/words.ts";

export function NewDashboardDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState("");
  const [title, setTitle] = useState("");

  async function save(): Promise<void> {
    await savedDashboards.add({ name, title: title === "" ? null : title });
    await client.invalidateQueries({ queryKey: dashboards.queryKey });
    await navigate({ to: "/dashboards/$name", params: { name } });
  }

  return (
    <FormDialog title={t("New dashboard")} action={t("Make it")} onSubmit={save} onClose={onClose}>
      <Field label={t("Name")} hint={t("a-z, 0-9 and -")}>
        <input required pattern="[a-z0-9\-]{1,60}" value={name} onChange={({ target }) => setName(target.value)} />
      </Field>
      <Field label={t("Title")}>
        <input maxLength={200} value={title} onChange={({ target }) => setTitle(target.value)} />
      </Field>
    </FormDialog>
  );
}
