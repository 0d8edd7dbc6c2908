/** What a grid tells of what one does with its rows. */
import { ErrorNote } from "../../ui/ErrorNote.tsx";

/** What goes on, or was done; what went wrong; null where there is nothing to tell. */
export type Told = string | Error | null;

export interface ToldNoteProps {
  readonly told: Told;
  /** Of reading the rows, where nothing else went wrong. */
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
