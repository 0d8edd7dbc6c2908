/** Draws the layers of tables with events again soon after a write to them. */
import { useEffect, useRef } from "react";
import { tableOfCollection } from "../../service/maps.ts";
import { useWritten } from "../../ui/hooks/useWritten.ts";
import type { ShownLayer } from "../../ui/map/layers/layerStack.ts";
import type { Collection } from "../../ui/map/layers/mapSource.ts";

export interface FollowWritesProps {
  readonly layers: readonly ShownLayer[];
  readonly collections: ReadonlyMap<string, Collection> | undefined;
  /** The past instant that the map shows, which no write changes. */
  readonly at: string | undefined;
  /** `collection`: as `schema.table`. */
  readonly onWritten: (collection: string) => void;
}

export function FollowWrites({ layers, collections, at, onWritten }: FollowWritesProps) {
  if (at !== undefined) return null;
  const shown = layers.flatMap(({ collection, visible = true }) =>
    collection !== undefined && visible && collections?.get(collection)?.isRaster === false ? [collection] : [],
  );
  return [...new Set(shown)].map((each) => <FollowTable key={each} collection={each} onWritten={onWritten} />);
}

function FollowTable({
  collection,
  onWritten,
}: { readonly collection: string } & Pick<FollowWritesProps, "onWritten">) {
  const written = useWritten(...tableOfCollection(collection), true);
  const seen = useRef(written);
  useEffect(() => {
    if (seen.current === written) return;
    seen.current = written;
    onWritten(collection);
  }, [written, collection, onWritten]);
  return null;
}
