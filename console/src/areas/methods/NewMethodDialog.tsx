import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { allMethods } from "../../service/methods.ts";
import { send } from "../../service/rest.ts";
import { Field } from "../../ui/Field.tsx";
import { FormDialog } from "../../ui/FormDialog.tsx";

/** What a new method does until its statement is written. */
const FIRST = "select 1 as one";

export function NewMethodDialog({ onClose }: { readonly onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const [method, setMethod] = useState("");
  const [description, setDescription] = useState("");
  return (
    <FormDialog
      title="Write a method"
      action="Make it"
      onClose={onClose}
      onSubmit={async () => {
        await send("POST", "/methods", { method, q: FIRST, description: description === "" ? null : description });
        await client.invalidateQueries({ queryKey: allMethods.queryKey });
        await navigate({ to: "/methods/$method", params: { method } });
      }}
    >
      <Field label="Name" hint="A-Z, a-z, 0-9 and _.-, a letter first">
        <input
          required
          autoFocus
          spellCheck={false}
          value={method}
          onChange={({ target }) => setMethod(target.value)}
        />
      </Field>
      <Field label="Description" hint="What it gives, for whoever calls it">
        <input value={description} onChange={({ target }) => setDescription(target.value)} />
      </Field>
    </FormDialog>
  );
}
