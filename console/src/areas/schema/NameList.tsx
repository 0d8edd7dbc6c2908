/** The objects of one kind in a schema, by name, with a dialog for the open one. */
import { useState, type ReactNode } from "react";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { t } from "../../words/words.ts";

export interface NameListProps<Item> {
  readonly title: string;
  /** Undefined while loading. */
  readonly items: readonly Item[] | undefined;
  readonly error: Error | null;
  /** The dialog for an item. */
  readonly children: (item: Item, onClose: () => void) => ReactNode;
}

export function NameList<Item extends { readonly name: string }>({
  title,
  items,
  error,
  children,
}: NameListProps<Item>) {
  const [open, setOpen] = useState<string>();
  const opened = items?.find(({ name }) => name === open);
  const id = title.toLowerCase();
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <ErrorNote error={error} />
      {items?.length === 0 && <p className="quiet">{t("None.")}</p>}
      <ul>
        {items?.map(({ name }) => (
          <li key={name}>
            <button type="button" className="plain" onClick={() => setOpen(name)}>
              {name}
            </button>
          </li>
        ))}
      </ul>
      {opened && children(opened, () => setOpen(undefined))}
    </section>
  );
}
