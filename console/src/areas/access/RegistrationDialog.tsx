/** Makes a token for clients that register themselves. */
import { useState } from "react";
import type { NewClient } from "../../service/http/openapi.ts";
import { answer, rest } from "../../service/http/rest.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";
import { jsonOf } from "./jsonOf.ts";
import { t } from "../../words/words.ts";

const SECONDS_AN_HOUR = 3600;

export interface RegistrationDialogProps {
  readonly onClose: () => void;
  readonly onDone: (token: string) => Promise<void>;
}

export function RegistrationDialog({ onClose, onDone }: RegistrationDialogProps) {
  const [uses, setUses] = useState("1");
  const [hours, setHours] = useState("24");
  const [members, setMembers] = useState("");

  async function make(): Promise<void> {
    const { token } = await answer(
      rest.POST("/registration-tokens", {
        body: {
          uses: Number(uses),
          lifetime_seconds: Math.round(Number(hours) * SECONDS_AN_HOUR),
          members: jsonOf<NewClient>(members, t("The members are not JSON.")),
        },
      }),
    );
    await onDone(token);
  }

  return (
    <FormDialog title={t("A token with which clients register")} action={t("Make")} onClose={onClose} onSubmit={make}>
      <Field label={t("Clients")} hint={t("How many it registers")}>
        <input
          type="number"
          required
          min={1}
          max={10_000}
          value={uses}
          onChange={({ target }) => setUses(target.value)}
        />
      </Field>
      <Field label={t("Hours")} hint={t("How long it is valid")}>
        <input
          type="number"
          required
          min={1}
          max={8760}
          value={hours}
          onChange={({ target }) => setHours(target.value)}
        />
      </Field>
      <Field
        label={t("Members of each client")}
        hint={t("A JSON object, as REST has them: {example}", { example: '{"confirm": false}' })}
      >
        <textarea rows={2} spellCheck={false} value={members} onChange={({ target }) => setMembers(target.value)} />
      </Field>
      <p className="quiet">{t("It is accepted where the option registration is token or open.")}</p>
    </FormDialog>
  );
}
