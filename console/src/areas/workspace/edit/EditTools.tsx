/** The editing modes on the map. Only one is active at a time. */
import {
  Combine,
  MousePointer2,
  Move,
  PencilLine,
  Redo2,
  Scissors,
  Spline,
  SquareStack,
  Trash2,
  Undo2,
  type LucideIcon,
} from "lucide-react";
import { Icon } from "../../../ui/Icon.tsx";
import { isTouched, type Mode } from "./drawing.ts";
import type { EditedTable } from "./editRows.ts";
import type { ShapeType } from "./shapes.ts";
import type { Editing } from "./useEditing.ts";
import { t } from "../../../words/words.ts";

interface Tool {
  readonly mode: Mode;
  readonly title: string;
  readonly icon: LucideIcon;
  readonly hint: string;
}

const keys = t("With the keys: Space sets a point in the middle of the map, Enter ends the shape.");
const TOOLS: readonly Tool[] = [
  {
    mode: "choose",
    title: t("Choose"),
    icon: MousePointer2,
    hint: isTouched ? t("Tap a shape.") : t("Click a shape, or Enter for the one in the middle."),
  },
  {
    mode: "draw",
    title: t("Draw"),
    icon: PencilLine,
    hint: isTouched
      ? t("Tap point by point, then Finish.")
      : `${t("Click point by point; a double click ends the shape.")} ${keys}`,
  },
  {
    mode: "reshape",
    title: t("Reshape"),
    icon: Spline,
    hint: isTouched
      ? t("Drag a point. Tap an edge to add one. Hold a point to remove it.")
      : t("Drag a point or an edge. Alt and a click remove a point."),
  },
  { mode: "move", title: t("Move"), icon: Move, hint: t("Drag a chosen shape.") },
  {
    mode: "split",
    title: t("Split"),
    icon: Scissors,
    hint: `${t("Draw a line across the chosen shapes.")} ${isTouched ? t("Tap point by point, then Finish.") : keys}`,
  },
];

export function EditTools({
  table: { relation },
  editing,
}: {
  readonly table: EditedTable;
  readonly editing: Editing;
}) {
  const { mode, setMode, type, types, setType, chosen, isUnfaithful, systems, undo, redo, merge, remove, press } =
    editing;
  const mayReshape = relation.canUpdate && chosen.length > 0 && !isUnfaithful;
  const may: Readonly<Record<Mode, boolean>> = {
    choose: true,
    draw: relation.canInsert && systems?.ofNew !== undefined,
    reshape: mayReshape,
    move: mayReshape,
    split: mayReshape && relation.canInsert,
  };
  return (
    <>
      <div className="tools edit-tools" role="group" aria-label={t("Tools")}>
        {TOOLS.map(({ mode: each, title, icon }) => (
          <button
            key={each}
            type="button"
            aria-pressed={mode === each}
            aria-disabled={!may[each]}
            onClick={() => setMode(each)}
          >
            <Icon of={icon} size={16} />
            {title}
          </button>
        ))}
        <SeveralButton editing={editing} />
        <button type="button" aria-disabled={!relation.canDelete || chosen.length < 2 || isUnfaithful} onClick={merge}>
          <Icon of={Combine} size={16} />
          {t("Merge")}
        </button>
        <button type="button" aria-disabled={!relation.canDelete || chosen.length === 0} onClick={remove}>
          <Icon of={Trash2} size={16} />
          {t("Remove")}
        </button>
        <button type="button" aria-disabled={!undo} onClick={undo}>
          <Icon of={Undo2} size={16} />
          {t("Undo")}
        </button>
        <button type="button" aria-disabled={!redo} onClick={redo}>
          <Icon of={Redo2} size={16} />
          {t("Redo")}
        </button>
      </div>
      {mode === "draw" && types.length > 1 && (
        <select
          aria-label={t("What to draw")}
          value={type}
          onChange={({ target }) => setType(target.value as ShapeType)}
        >
          {types.map((each) => (
            <option key={each}>{each}</option>
          ))}
        </select>
      )}
      {(mode === "split" || (mode === "draw" && !type.endsWith("Point"))) && (
        <div className="tools edit-tools">
          <button type="button" onClick={() => press("Enter")}>
            {t("Finish")}
          </button>
          <button type="button" onClick={() => press("Backspace")}>
            {t("Remove the last point")}
          </button>
        </div>
      )}
      <p className="quiet">
        {mode === "choose" && editing.isSeveral
          ? t("Each shape is added to the chosen ones, or taken away from them.")
          : TOOLS.find((tool) => tool.mode === mode)?.hint}
      </p>
    </>
  );
}

/** Lets fingers choose several shapes, as Shift does. */
function SeveralButton({ editing: { isSeveral, setIsSeveral, setMode } }: { readonly editing: Editing }) {
  return (
    <button
      type="button"
      aria-pressed={isSeveral}
      onClick={() => {
        setIsSeveral(!isSeveral);
        setMode("choose");
      }}
    >
      <Icon of={SquareStack} size={16} />
      {t("Several")}
    </button>
  );
}
