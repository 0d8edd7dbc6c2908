/** The comments on one row, and a field for another; or the latest comments of a table. */
import { useState } from "react";
import { useComments, useCommentWrites, type RowComment } from "../../service/rows/comments.ts";
import { when } from "../../service/rows/history.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { CloseTools } from "../../ui/forms/CloseTools.tsx";
import { Dialog } from "../../ui/forms/Dialog.tsx";
import { Field } from "../../ui/forms/Field.tsx";
import { useAttempt, type Attempt } from "../../ui/hooks/useAttempt.ts";
import { t } from "../../words/words.ts";

export interface CommentsDialogProps {
  readonly relation: Relation;
  /** Undefined for the comments on the whole table. */
  readonly rowKey: string | undefined;
  readonly onClose: () => void;
}

export function CommentsDialog({ relation, rowKey, onClose }: CommentsDialogProps) {
  const [key, setKey] = useState(rowKey);
  const comments = useComments(relation, key);
  const writes = useCommentWrites(relation);
  const attempt = useAttempt();
  const of = key === undefined ? relation.table : `${relation.table} ${key}`;
  return (
    <Dialog title={t("Comments on {of}", { of })} onClose={onClose}>
      <ErrorNote error={comments.error ?? attempt.error} {...(attempt.error && { onClose: attempt.clear })} />
      {comments.data?.length === 0 && (
        <p className="quiet">
          {key === undefined
            ? t("Nobody has commented on a row that you may see. Choose a row to be the first.")
            : t("Nobody has commented on this row yet. Accounts that may read the row see its comments.")}
        </p>
      )}
      <ol
        className="comments"
        aria-label={key === undefined ? t("Comments, latest first") : t("Comments, oldest first")}
      >
        {comments.data?.map((comment) => (
          <Comment
            key={comment.id}
            comment={comment}
            attempt={attempt}
            onOpen={key === undefined ? () => setKey(comment.key) : undefined}
            onChange={(body) => writes.change(comment, body)}
            onRemove={() => writes.remove(comment)}
          />
        ))}
      </ol>
      {key !== undefined && (
        <Draft
          label={t("Comment")}
          action={t("Add the comment")}
          begun=""
          attempt={attempt}
          onSave={(body) => writes.add(key, body)}
        />
      )}
      <CloseTools onClose={onClose} />
    </Dialog>
  );
}

interface CommentProps {
  readonly comment: RowComment;
  readonly attempt: Attempt;
  /** Undefined where its row is open. */
  readonly onOpen: (() => void) | undefined;
  readonly onChange: (body: string) => Promise<void>;
  readonly onRemove: () => Promise<void>;
}

function Comment({ comment, attempt, onOpen, onChange, onRemove }: CommentProps) {
  const { key, body, author, created_at: at, changed_at: changed, may_change: isOwn, may_remove: mayRemove } = comment;
  const [isChanged, setIsChanged] = useState(false);
  const by = author ?? t("the operator, or an account that has been removed");
  if (isChanged)
    return (
      <li>
        <Draft
          label={t("Comment of {when}", { when: when(at) })}
          action={t("Save")}
          begun={body}
          attempt={attempt}
          onSave={async (next) => {
            await onChange(next);
            setIsChanged(false);
          }}
          onCancel={() => setIsChanged(false)}
        />
      </li>
    );
  return (
    <li>
      <div className="tools">
        {onOpen && (
          <button type="button" className="plain" onClick={onOpen}>
            {t("Row {key}", { key })}
          </button>
        )}
        <strong>{by}</strong>
        <span className="quiet">
          {when(at)}
          {changed !== null && t(", changed")}
        </span>
        {isOwn && (
          <button
            type="button"
            className="plain"
            aria-label={t("Change the comment of {when}", { when: when(at) })}
            onClick={() => setIsChanged(true)}
          >
            {t("Change")}
          </button>
        )}
        {mayRemove && (
          <button
            type="button"
            className="plain"
            aria-label={t("Remove the comment by {by} of {when}", { by, when: when(at) })}
            aria-disabled={attempt.isBusy}
            onClick={() => void attempt.run(onRemove)}
          >
            {t("Remove")}
          </button>
        )}
      </div>
      <p dir="auto">{body}</p>
    </li>
  );
}

interface DraftProps {
  readonly label: string;
  readonly action: string;
  readonly begun: string;
  readonly attempt: Attempt;
  readonly onSave: (body: string) => Promise<void>;
  readonly onCancel?: () => void;
}

/** The editor of a comment. If saving fails, the typed text stays. */
function Draft({ label, action, begun, attempt, onSave, onCancel }: DraftProps) {
  const [body, setBody] = useState(begun);
  const isEmpty = body.trim() === "" || body === begun;
  async function save(): Promise<void> {
    if (isEmpty || attempt.isBusy) return;
    if (await attempt.run(() => onSave(body))) setBody(begun);
  }
  return (
    <div className="fields">
      <Field label={label} hint={t("Ctrl Enter saves it.")}>
        <textarea
          rows={3}
          maxLength={10_000}
          dir="auto"
          value={body}
          onChange={({ target }) => setBody(target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void save();
          }}
        />
      </Field>
      <div className="tools">
        <button type="button" className="primary" aria-disabled={isEmpty || attempt.isBusy} onClick={() => void save()}>
          {action}
        </button>
        {onCancel && (
          <button type="button" className="plain" onClick={onCancel}>
            {t("Cancel")}
          </button>
        )}
      </div>
    </div>
  );
}
