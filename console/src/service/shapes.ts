/** The geometries of a row before and after a change, as the service gives them for a map, and their difference. */
import { useQuery } from "@tanstack/react-query";
import type { Waiting, WaitingRow, WaitingShape } from "./http/openapi.ts";
import { answer, rest } from "./http/rest.ts";

export type ShapeChange = WaitingShape;
export type ChangedShape = NonNullable<ShapeChange["after"]>;

export function useWaitingShapes(
  table: Pick<Waiting, "schema" | "table">,
  { key, version }: WaitingRow,
  asks: boolean,
) {
  return useQuery({
    queryKey: ["waiting shapes", table.schema, table.table, key, version],
    queryFn: ({ signal }) =>
      answer(
        rest.GET("/schemas/{schema}/tables/{table}/workflow/shapes", {
          params: { path: table, query: { key } },
          signal,
        }),
      ),
    enabled: asks,
    staleTime: Infinity, // another version has another key
  });
}

export type Position = readonly [x: number, y: number];

export interface ShapeDifference {
  readonly isSame: boolean;
  /** Positions of the earlier shape that the later one does not have. */
  readonly gone: readonly Position[];
  /** Positions of the later shape that the earlier one did not have. */
  readonly come: readonly Position[];
}

/** Compares the drawn positions. A missing shape has none. */
export function differenceOf({ before, after }: ShapeChange): ShapeDifference {
  const [was, is] = [before, after].map((shape) => positionsOf(shape?.geometry));
  const without = (some: ReadonlyMap<string, Position>, others: ReadonlyMap<string, Position>): readonly Position[] =>
    [...some].filter(([text]) => !others.has(text)).map(([, position]) => position);
  return {
    isSame: JSON.stringify(before) === JSON.stringify(after),
    gone: without(was!, is!),
    come: without(is!, was!),
  };
}

function positionsOf(geometry: unknown): ReadonlyMap<string, Position> {
  const found = new Map<string, Position>();
  collect(geometry, found);
  return found;
}

function collect(part: unknown, found: Map<string, Position>): void {
  if (Array.isArray(part)) {
    if (typeof part[0] === "number") found.set(`${part[0]} ${part[1]}`, [part[0], part[1] as number]);
    else for (const each of part) collect(each, found);
    return;
  }
  const { coordinates, geometries, geometry } = (part ?? {}) as Readonly<Record<string, unknown>>;
  for (const inner of [coordinates, geometries, geometry]) if (inner !== undefined) collect(inner, found);
}
