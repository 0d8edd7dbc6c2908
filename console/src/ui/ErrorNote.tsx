/** What went wrong, in the words of the service. */
export function ErrorNote({ error, onClose }: { readonly error: Error | null; readonly onClose?: () => void }) {
  if (!error) return null;
  return (
    <p className="note error" role="alert">
      {error.message}
      {onClose && (
        <button type="button" className="plain" onClick={onClose}>
          Close
        </button>
      )}
    </p>
  );
}
