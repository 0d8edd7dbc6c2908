/** The geometries of a waiting row on maps, as they were published and as they would be, with the difference in words. */
import { getDistance } from "ol/sphere.js";
import { lazy, Suspense, useMemo, useRef } from "react";
import { differenceOf, useWaitingShapes, type ChangedShape, type ShapeChange } from "../../service/shapes.ts";
import type { Waiting, WaitingRow } from "../../service/workflow.ts";
import { ErrorNote } from "../../ui/ErrorNote.tsx";
import { useNearSight } from "../../ui/hooks/useNearSight.ts";
import { number, t } from "../../words/words.ts";

const ShapeChangeMap = lazy(async () => ({
  default: (await import("../../ui/map/ShapeChangeMap.tsx")).ShapeChangeMap,
}));

export interface ShapeChangesProps {
  readonly waiting: Waiting;
  readonly row: WaitingRow;
}

/** Requests the shapes, and draws them, while the row is near the visible part. */
export function ShapeChanges({ waiting, row }: ShapeChangesProps) {
  const place = useRef<HTMLDivElement>(null);
  const isNear = useNearSight(place);
  const { data, error, isFetching } = useWaitingShapes(waiting, row, isNear);
  const shown = data?.filter(({ before, after }) => before ?? after) ?? [];
  return (
    <div ref={place} className="shape-changes" aria-busy={isFetching}>
      <ErrorNote error={error} />
      {data === undefined && !error && <p className="quiet">{t("One moment …")}</p>}
      {shown.map((change) => (
        <OneChange key={change.column} change={change} rowKey={row.key} isNear={isNear} />
      ))}
    </div>
  );
}

interface OneChangeProps {
  readonly change: ShapeChange;
  readonly rowKey: string;
  readonly isNear: boolean;
}

function OneChange({ change, rowKey, isNear }: OneChangeProps) {
  const difference = useMemo(() => differenceOf(change), [change]);
  const { column, after } = change;
  // one plane cannot hold both
  const apart = change.before?.geometry && after?.geometry && isElsewhere(change.before, after);
  const before = apart ? null : change.before;
  const isDrawn = [before, after].some((shape) => shape?.geometry);
  const sentences = [...sentencesOf(change, difference), ...(apart ? [APART] : [])];
  return (
    <figure className="shape-change" aria-label={t("{column} of {key}", { column, key: rowKey })}>
      {isDrawn && (
        <div className="frame">
          {isNear && (
            <Suspense>
              <ShapeChangeMap
                label={t("Map of {column} of {key}, before and after", { column, key: rowKey })}
                before={before}
                after={after}
                difference={difference}
              />
            </Suspense>
          )}
        </div>
      )}
      <figcaption>
        <strong>{column}</strong>
        {isDrawn && (
          <ul aria-label={t("Legend")}>
            {difference.isSame ? (
              <li className="same">{t("before and after")}</li>
            ) : (
              <>
                {before?.geometry && <li className="before">{t("before, as published")}</li>}
                {after?.geometry && <li className="after">{change.before ? t("after the change") : t("new")}</li>}
              </>
            )}
          </ul>
        )}
        {sentences.map((sentence) => (
          <p key={sentence}>{sentence}</p>
        ))}
      </figcaption>
    </figure>
  );
}

const APART = t("The map shows only the new geometry, because the systems of the two cannot be combined.");

function isElsewhere(before: ChangedShape, after: ChangedShape): boolean {
  return before.plane !== after.plane || (before.plane && before.srid !== after.srid);
}

/** The change in words, and why the map shows something else, or nothing. */
function sentencesOf({ before, after }: ShapeChange, difference: ReturnType<typeof differenceOf>): readonly string[] {
  const said: string[] = [];
  if (difference.isSame) said.push(t("The geometry stays as it is: {shape}.", { shape: described(after) }));
  else if (!before) said.push(t("New: {shape}.", { shape: described(after) }));
  else if (!after) said.push(t("The geometry is removed: {shape}.", { shape: described(before) }));
  else said.push(changeOf(before, after, difference));
  for (const [shape, which] of [
    [before, t("before")],
    [after, t("after")],
  ] as const) {
    if (!shape || (difference.isSame && shape === before)) continue;
    if (shape.points === 0) said.push(t("The geometry {which} is empty, so no map can draw it.", { which }));
    else if (!shape.geometry)
      said.push(t("The geometry {which} has a coordinate that is not a number, so no map can draw it.", { which }));
  }
  const shapes = [before, after].filter((shape) => shape !== null);
  if (shapes.some(({ approximate }) => approximate === "arcs")) said.push(t("Arcs are drawn as lines."));
  if (shapes.some(({ approximate }) => approximate === "points"))
    said.push(t("It has so many points that the map leaves out details smaller than 1/5000 of it."));
  const plane = shapes.find((shape) => shape.plane);
  if (plane)
    said.push(
      plane.srid === 0
        ? t("It has no reference system (SRID 0): the map shows its own coordinates, without land.")
        : t("SRID {srid} has no place in the world here: the map shows its own coordinates, without land.", {
            srid: plane.srid,
          }),
    );
  return said;
}

function described(shape: ChangedShape | null): string {
  if (!shape) return "";
  const { type, points, srid } = shape;
  return type === "Point" ? `Point, SRID ${srid}` : t("{type} of {points} points", { type, points: number(points) });
}

function changeOf(before: ChangedShape, after: ChangedShape, { gone, come }: ReturnType<typeof differenceOf>): string {
  const [from, to] = [gone, come];
  if (before.type === "Point" && after.type === "Point" && from[0] && to[0] && !before.plane && !after.plane)
    return t("The point is moved by {distance}.", { distance: metresText(getDistance([...from[0]], [...to[0]])) });
  const shapes = { before: described(before), after: described(after) };
  if (gone.length === 0 && come.length === 0) return t("{before} becomes {after}.", shapes);
  return t("{before} becomes {after}. New points: {come}, points that are gone: {gone}.", {
    ...shapes,
    come: number(come.length),
    gone: number(gone.length),
  });
}

function metresText(metres: number): string {
  return metres < 1000
    ? `${number(Number(metres.toPrecision(3)))} m`
    : `${number(Number((metres / 1000).toPrecision(4)))} km`;
}
