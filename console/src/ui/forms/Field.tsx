/** A label with its field; `hint` explains the allowed values. A field that is full says so, since a browser cuts what is pasted. */
import { useId, type ReactElement, cloneElement } from "react";
import { number, t } from "../../words/words.ts";

export interface FieldProps {
  readonly label: string;
  readonly hint?: string;
  readonly children: ReactElement<{
    id?: string;
    "aria-describedby"?: string | undefined;
    value?: unknown;
    maxLength?: number | undefined;
  }>;
}

export function Field({ label, hint, children }: FieldProps) {
  const id = useId();
  const { value, maxLength } = children.props;
  const isFull = typeof value === "string" && maxLength !== undefined && value.length >= maxLength;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {cloneElement(children, { id, "aria-describedby": hint === undefined ? undefined : `${id}-hint` })}
      {hint !== undefined && (
        <span id={`${id}-hint`} className="quiet">
          {hint}
        </span>
      )}
      {isFull && (
        <span role="status" className="quiet">
          {t("Full: at most {most} characters. What was pasted beyond them is cut off.", { most: number(maxLength) })}
        </span>
      )}
    </div>
  );
}
