/** A comment that is edited in place. */
import { useEffect, useRef, useState } from "react";
import { tablePath } from "../../service/http/rest.ts";
import { useRunChange } from "../../service/tables/schemas.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { ServiceError } from "../../service/http/ask.ts";
import { t } from "../../words/words.ts";

export interface CommentProps {
  readonly schema: string;
  readonly table: string;
  /** Undefined for the comment of the table. */
  readonly column?: string;
  readonly text: string | null;
}

export function Comment({ schema, table, column, text }: CommentProps) {
  const run = useRunChange();
  const [draft, setDraft] = useState<string>();
  const [failure, setFailure] = useState<Error | null>(null);
  const what = column ?? table;
  const opener = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  useEffect(() => {
    if (draft === undefined && wasOpen.current) opener.current?.focus(); // only after an editor was open
    wasOpen.current = draft !== undefined;
  }, [draft]);

  async function save(): Promise<void> {
    const comment = draft === "" ? null : draft;
    try {
      await run({
        method: "PUT",
        path: `${tablePath({ schema, table })}/comment`,
        body: { comment, ...(column !== undefined && { column }) },
      });
      setDraft(undefined);
      setFailure(null);
    } catch (error) {
      setFailure(error as Error);
    }
  }

  if (draft === undefined)
    return (
      <button
        ref={opener}
        type="button"
        className="plain comment"
        aria-label={
          text === null ? t("Comment of {what}: none", { what }) : t("Comment of {what}: {text}", { what, text })
        }
        onClick={() => setDraft(text ?? "")}
      >
        {text ?? <span className="quiet">{t("Add a comment")}</span>}
      </button>
    );
  return (
    <form
      className="comment"
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
      onKeyDown={(event) => event.key === "Escape" && setDraft(undefined)}
    >
      <textarea
        autoFocus
        aria-label={t("Comment of {what}", { what })}
        rows={2}
        value={draft}
        onChange={({ target }) => setDraft(target.value)}
      />
      <div className="tools">
        <button type="submit">{t("Save")}</button>
        <button type="button" className="plain" onClick={() => setDraft(undefined)}>
          {t("Cancel")}
        </button>
      </div>
      <ErrorNote error={failure} />
      {failure instanceof ServiceError && failure.sql !== undefined && (
        <>
          <p>{t("Its owner runs:")}</p>
          <pre tabIndex={0}>{failure.sql}</pre>
        </>
      )}
    </form>
  );
}
