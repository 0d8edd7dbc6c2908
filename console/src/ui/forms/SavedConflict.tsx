/** An error of a save. Where somebody has saved the same thing meanwhile, the person chooses between the two. */
import { ServiceError } from "../../service/http/ask.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { t } from "../../words/words.ts";

/** What can be done where somebody else was faster. */
export interface ConflictChoice {
  /** Saves in spite of the conflict. */
  readonly onOver: () => void;
  /** Shows the other person's version. */
  readonly onTheirs: () => void;
}

export interface SavedConflictProps {
  readonly error: Error | null;
  /** Undefined: a conflict is told as other errors are. */
  readonly choice: ConflictChoice | undefined;
  readonly onClose?: (() => void) | undefined;
}

export function SavedConflict({ error, choice, onClose }: SavedConflictProps) {
  const isConflict = error instanceof ServiceError && error.code === "CONFLICT";
  if (!isConflict || !choice) return <ErrorNote error={error} {...(onClose && { onClose })} />;
  return (
    <p className="note error" role="alert">
      {t("Somebody has saved it since you opened it.")}
      <button type="button" onClick={choice.onOver}>
        {t("Save mine over it")}
      </button>
      <button type="button" onClick={choice.onTheirs}>
        {t("Open theirs")}
      </button>
    </p>
  );
}
