import { useState } from "react";
import type { Box, Shape, Style } from "../../service/maps.ts";
import type { Table } from "../../service/rows/relations.ts";
import { MapView } from "../../ui/map/MapView.tsx";
import { StyleEditor } from "../../ui/map/style/StyleEditor.tsx";
import { t } from "../../words/words.ts";

export interface StyledMapProps {
  readonly schema: string;
  readonly table: Table;
  readonly shape: Shape;
  readonly path: string;
  readonly extent: Box;
  readonly stored: Style;
  /** An instant of the table's history. */
  readonly at: string | undefined;
  /** Changes when the table was written. */
  readonly written: number;
}

export function StyledMap({ schema, table, shape, path, extent, stored, at, written }: StyledMapProps) {
  const [draft, setDraft] = useState<Style>();
  return (
    <div className="styled">
      <StyleEditor schema={schema} table={table} shape={shape} stored={stored} onDraft={setDraft} />
      <MapView
        label={t("Map of {name}", { name: table.name })}
        path={path}
        extent={extent}
        style={draft}
        at={at}
        written={written}
      />
    </div>
  );
}
