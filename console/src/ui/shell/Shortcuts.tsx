/** The keyboard shortcuts of the console. */
import { useEffect, useRef } from "react";
import { Dialog } from "../forms/Dialog.tsx";
import { t } from "../../words/words.ts";

const KEYS: readonly (readonly [where: string, keys: readonly (readonly [key: string, what: string])[]])[] = [
  [
    t("Everywhere"),
    [
      [t("Ctrl K"), t("Search tables, columns, methods, accounts and areas")],
      ["?", t("Show this list")],
      [t("Esc"), t("Close a dialog, or leave a cell as it was")],
    ],
  ],
  [
    t("Rows"),
    [
      [t("Arrow keys, Page Up, Page Down"), t("Go to another cell")],
      [t("Home, End"), t("Go to the first or the last column")],
      [t("Ctrl Home, Ctrl End"), t("Go to the first or the last row")],
      [t("Shift with these"), t("Mark cells")],
      [t("Enter"), t("Edit the cell, and save it")],
      [t("Space"), t("Choose the row")],
      [t("Ctrl C, Ctrl V"), t("Copy marked cells, or paste cells of a spreadsheet")],
    ],
  ],
  [
    t("Maps"),
    [
      [t("Arrow keys"), t("Move the map")],
      ["+, -", t("Zoom in or out")],
      [t("Enter"), t("Show what is in the middle, or end the drawn shape")],
      [t("Space"), t("Set a point of the drawn shape in the middle")],
      [t("Delete"), t("Remove the chosen shapes")],
      [t("Ctrl Z, Ctrl Shift Z"), t("Undo, or do again")],
    ],
  ],
  [t("SQL and GraphQL"), [[t("Ctrl Enter"), t("Run it")]]],
];

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  const tools = useRef<HTMLDivElement>(null);
  useEffect(() => {
    tools.current?.closest("dialog")?.scrollTo(0, 0); // the focus of the button has moved it down
  }, []);
  return (
    <Dialog title={t("Keyboard shortcuts")} onClose={onClose}>
      {KEYS.map(([where, keys]) => (
        <section key={where} className="keys-of">
          <h3>{where}</h3>
          <dl>
            {keys.map(([key, what]) => (
              <div key={key}>
                <dt>
                  <kbd>{key}</kbd>
                </dt>
                <dd>{what}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <div className="tools" ref={tools}>
        <button type="button" onClick={onClose}>
          {t("Close")}
        </button>
      </div>
    </Dialog>
  );
}
