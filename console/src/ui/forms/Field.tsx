/** A label with its field; `hint` explains the allowed values. */
import { useId, type ReactElement, cloneElement } from "react";

export interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly children: ReactElement<{ id?: string; "aria-describedby"?: string | undefined }>;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, { id, "aria-describedby": hint === undefined ? undefined : `${id}-hint` })}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="quiet">
          {hint}
        </span>
      )}
    </div>
  );
}
