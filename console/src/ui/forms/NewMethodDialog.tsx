import { useQueryClient } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { allMethods } from "../../service/methods.ts";
import { rest } from "../../service/http/rest.ts";
import { Field } from "./Field.tsx";
import { FormDialog } from "./FormDialog.tsx";
import { useAccount } from "../hooks/useAccount.ts";
import { t } from "../../words/words.ts";

/** The initial statement of a new method. */
const FIRST = "select 1 as one";

export interface NewMethodDialogProps {
  /** The statement to store as a method. Without it, the method is written afterwards. */
  readonly q?: string;
  readonly onClose: () => void;
}

export function NewMethodDialog({ q, onClose }: NewMethodDialogProps) {
  const { data: account } = useAccount();
  const client = useQueryClient();
  const navigate = useNavigate();
  const [method, setMethod] = useState("");
  const [description, setDescription] = useState("");
  const [isPublished, setIsPublished] = useState(false);
  return (
    <FormDialog
      title={q === undefined ? t("Write a method") : t("Store as a method")}
      action={q === undefined ? t("Create method") : t("Save method")}
      onClose={onClose}
      onSubmit={async () => {
        await rest.POST("/methods", {
          body: {
            method,
            q: q ?? FIRST,
            description: description === "" ? null : description,
            ...(isPublished && { published: true }),
          },
        });
        await client.invalidateQueries({ queryKey: allMethods.queryKey });
        await navigate({ to: "/methods/$method", params: { method } });
      }}
    >
      <Field label={t("Name")} hint={t("A-Z, a-z, 0-9 and _.-, a letter first")}>
        <input
          required
          autoFocus
          spellCheck={false}
          value={method}
          onChange={({ target }) => setMethod(target.value)}
        />
      </Field>
      <Field label={t("Description")} hint={t("What it returns, for its callers")}>
        <input value={description} onChange={({ target }) => setDescription(target.value)} />
      </Field>
      {q !== undefined && account?.superUser && (
        <label>
          <input type="checkbox" checked={isPublished} onChange={({ target }) => setIsPublished(target.checked)} />{" "}
          {t("Publish it: others may call it")}
        </label>
      )}
    </FormDialog>
  );
}
