import { createContext, useLayoutEffect, useRef, type ReactNode } from "react";

/** Whether the content is inside a dialog. */
export const InDialog = createContext(false);

/**
 * A modal dialog of the browser. It keeps the focus, and Escape closes it. On closing, the focus returns to its
 * previous place.
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
      opened.close(); // removing an open dialog would lose the focus
    };
  }, []);
  return (
    <dialog ref={dialog} aria-label={title} onClose={() => !isGone.current && onClose()}>
      <h2>{title}</h2>
      <InDialog value>{children}</InDialog>
    </dialog>
  );
}
