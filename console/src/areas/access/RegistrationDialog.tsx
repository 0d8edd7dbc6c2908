/** Makes a token with which clients register themselves. */
import { useState } from "react";
import type { RegistrationToken } from "../../service/http/openapi.ts";
import { send } from "../../service/http/rest.ts";
import { Field } from "../../ui/forms/Field.tsx";
import { FormDialog } from "../../ui/forms/FormDialog.tsx";

const SECONDS_AN_HOUR = 3600;

export interface RegistrationDialogProps {
  readonly onClose: () => void;
  readonly onDone: (token: string) => void;
}

export function RegistrationDialog({ onClose, onDone }: RegistrationDialogProps) {
  const [uses, setUses] = useState("1");
  const [hours, setHours] = useState("24");

  async function make(): Promise<void> {
    const { token } = await send<RegistrationToken>("POST", "/registration-tokens", {
      uses: Number(uses),
      lifetime_seconds: Math.round(Number(hours) * SECONDS_AN_HOUR),
    });
    onDone(token);
  }

  return (
    <FormDialog title="A token with which clients register" action="Make" onClose={onClose} onSubmit={make}>
      <Field label="Clients" hint="How many it registers">
        <input
          type="number"
          required
          min={1}
          max={10_000}
          value={uses}
          onChange={({ target }) => setUses(target.value)}
        />
      </Field>
      <Field label="Hours" hint="How long it is valid">
        <input
          type="number"
          required
          min={1}
          max={8760}
          value={hours}
          onChange={({ target }) => setHours(target.value)}
        />
      </Field>
      <p className="quiet">It counts where the option registration is token or open.</p>
    </FormDialog>
  );
}
