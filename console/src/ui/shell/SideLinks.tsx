/** Links to things of one kind at the side of an area, filtered by name. */
import type { UseQueryResult } from "@tanstack/react-query";
import { useId, type ReactNode } from "react";
import { ErrorNote } from "../ErrorNote.tsx";
import { t } from "../../words/words.ts";

export interface SideLinksProps<Item> {
  readonly title?: string;
  readonly found: UseQueryResult<readonly Item[]>;
  /** Selects items. Default: all. */
  readonly has?: ((item: Item) => boolean) | undefined;
  /** The name of an item, which must be unique. */
  readonly nameOf: (item: Item) => string;
  readonly search: string;
  /** The text where there are no items. */
  readonly none: string;
  /** The link for an item. */
  readonly children: (item: Item) => ReactNode;
}

export function SideLinks<Item>({
  title,
  found: { data, error, isPending },
  has = () => true,
  nameOf,
  search,
  none,
  children,
}: SideLinksProps<Item>) {
  const id = useId();
  const shown = data?.filter(has).filter((item) => nameOf(item).toLowerCase().includes(search.toLowerCase()));
  return (
    <section aria-labelledby={title && id}>
      {title && <h2 id={id}>{title}</h2>}
      <ErrorNote error={error} />
      {isPending && <p className="quiet">…</p>}
      {shown?.length === 0 && <p className="quiet">{search ? t("None of that name.") : none}</p>}
      <ul>
        {shown?.map((item) => (
          <li key={nameOf(item)}>{children(item)}</li>
        ))}
      </ul>
    </section>
  );
}
