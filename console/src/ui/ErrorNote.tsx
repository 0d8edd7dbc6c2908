import { ServiceError } from "../service/ask.ts";
import { signIn } from "../service/session.ts";

/** What went wrong, in the words of the service, and the way back in where one is signed out. */
export function ErrorNote({ error, onClose }: { readonly error: Error | null; readonly onClose?: () => void }) {
  if (!error) return null;
  return (
    <p className="note error" role="alert">
      {error.message}
      {error instanceof ServiceError && error.code === "SIGNED_OUT" && (
        <button type="button" onClick={() => void signIn()}>
          Sign in again
        </button>
      )}
      {onClose && (
        <button type="button" className="plain" onClick={onClose}>
          Close
        </button>
      )}
    </p>
  );
}
