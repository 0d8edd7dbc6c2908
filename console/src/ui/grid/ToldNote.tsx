/** Messages of a grid about actions on its rows. */
import { ErrorNote } from "../ErrorNote.tsx";

/** The running or finished action, or an error; null for no message. */
export type Told = string | Error | null;

export interface ToldNoteProps {
  readonly told: Told;
  /** The error of loading the rows, shown if there is no other. */
  readonly error: Error | null;
  readonly onClose: () => void;
}

export function ToldNote({ told, error, onClose }: ToldNoteProps) {
  return (
    <>
      {typeof told === "string" && <p role="status">{told}</p>}
      <ErrorNote error={told instanceof Error ? told : error} onClose={onClose} />
    </>
  );
}
