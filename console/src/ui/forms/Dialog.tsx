import { createContext, useLayoutEffect, useRef, type ReactNode } from "react";

/** Whether the content is inside a dialog. */
export const InDialog = createContext(false);

/**
 * A modal dialog of the browser: it keeps the focus, and Escape closes it. When it closes, the focus returns to where it was
 * before.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const isGone = useRef(false);
  useLayoutEffect(() => {
    const opened = dialog.current!;
    opened.showModal();
    isGone.current = false;
    return () => {
      isGone.current = true;
      opened.close(); // taken away while it is open, it would take the focus with it
    };
  }, []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={() => !isGone.current && onClose()}>
      <h2>{title}</h2>
      <InDialog value>{children}</InDialog>
    </dialog>
  );
}
