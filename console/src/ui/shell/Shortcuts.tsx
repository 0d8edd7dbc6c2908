/** The keys that the console knows. */
import { Dialog } from "../forms/Dialog.tsx";

const KEYS: readonly (readonly [where: string, keys: readonly (readonly [key: string, what: string])[]])[] = [
  [
    "Everywhere",
    [
      ["Ctrl K", "Search tables, columns, methods, accounts and areas"],
      ["?", "Show this list"],
      ["Esc", "Close a dialog, or leave a cell as it was"],
    ],
  ],
  [
    "Rows",
    [
      ["Arrow keys, Page Up, Page Down", "Go to another cell"],
      ["Home, End", "Go to the first or the last column"],
      ["Ctrl Home, Ctrl End", "Go to the first or the last row"],
      ["Shift with these", "Mark cells"],
      ["Enter", "Edit the cell, and save it"],
      ["Space", "Choose the row"],
      ["Ctrl C, Ctrl V", "Copy marked cells, or paste cells of a spreadsheet"],
    ],
  ],
  ["SQL and GraphQL", [["Ctrl Enter", "Run it"]]],
];

export function Shortcuts({ onClose }: { readonly onClose: () => void }) {
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
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
      <div className="tools">
        <button type="button" onClick={onClose}>
          Close
        </button>
      </div>
    </Dialog>
  );
}
