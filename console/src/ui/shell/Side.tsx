/**
 * The side of an area, with a list to choose from. On a narrow page it closes after a choice, and a button opens it.
 */
import { useRef, useState, type MouseEvent, type ReactNode } from "react";
import { t } from "../../words/words.ts";

export interface SideProps {
  readonly label: string;
  /** The thing to choose, such as `a table`. */
  readonly noun: string;
  readonly isChosen: boolean;
  readonly children: ReactNode;
}

export function Side({ label, noun, isChosen, children }: SideProps) {
  const [isOpen, setOpen] = useState(false);
  const opener = useRef<HTMLButtonElement>(null);

  function closeBehind({ target }: MouseEvent): void {
    if (!isOpen || !(target as Element).closest("a")) return;
    setOpen(false);
    opener.current?.focus(); // the link becomes invisible
  }

  return (
    <nav
      aria-label={label}
      className={`side${isChosen ? " chosen" : ""}${isOpen ? " open" : ""}`}
      onClick={closeBehind}
    >
      {isChosen && (
        <button
          ref={opener}
          type="button"
          className="opener"
          aria-expanded={isOpen}
          onClick={() => setOpen((was) => !was)}
        >
          {t("Choose {noun}", { noun })}
        </button>
      )}
      {children}
    </nav>
  );
}
