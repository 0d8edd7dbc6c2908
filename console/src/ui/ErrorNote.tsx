import { Link } from "@tanstack/react-router";
import { useContext } from "react";
import { ServiceError } from "../service/http/ask.ts";
import { signIn } from "../service/http/session.ts";
import { InDialog } from "./forms/Dialog.tsx";
import { t } from "../words/words.ts";

export interface ErrorNoteProps {
  readonly error: Error | null;
  readonly onClose?: () => void;
  /** Whether it reports an ended sign-in too, as the page does once for its parts, and an editor beside what was typed. */
  readonly isFrame?: boolean;
}

/** An error with the message of the service, and a button to sign in again if the account is signed out. */
export function ErrorNote({ error, onClose, isFrame = false }: ErrorNoteProps) {
  const isInDialog = useContext(InDialog); // a dialog makes the page's own note unreachable
  const isSignedOut = error instanceof ServiceError && error.code === "SIGNED_OUT";
  if (!error || (isSignedOut && !isFrame && !isInDialog)) return null;
  return (
    <p className="note error" role="alert">
      {error.message}
      {isSignedOut && (
        <button type="button" onClick={() => void signIn()}>
          {t("Sign in again")}
        </button>
      )}
      {error instanceof ServiceError && error.code === "FORBIDDEN" && error.requestId !== undefined && (
        <>
          {" "}
          <Link to="/refused/$id" params={{ id: error.requestId }} target="_blank">
            {t("Why?")}
          </Link>
        </>
      )}
      {onClose && (
        <button type="button" className="plain" onClick={onClose}>
          {t("Close")}
        </button>
      )}
    </p>
  );
}
