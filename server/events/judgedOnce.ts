/** For each group of equal rights, one gateway of the fleet judges a page of events, and the others use its verdict. */
import type { Fleet, Verdict } from "./fleet.ts";
import type { Visibility } from "./judge.ts";
import type { Row, TableInfo } from "./table.ts";

/** The page to be judged. */
export interface Page {
  /** `hashOf` the group's key. */
  readonly group: string;
  /** The same for the same records wherever they are read. */
  readonly place: string;
  readonly info: TableInfo;
  readonly rows: readonly Row[];
  /** Whether the table was read again for this page. */
  readonly isReread: boolean;
}

/**
 * The verdict of the gateway that judges for the group, if it comes within 200 ms, else the result of `judge`, which is
 * called at once where no other gateway has the group. Undefined: the table must be read again. Rejects as `judge` does.
 */
export async function judgedOnce(
  fleet: Fleet | undefined,
  { group, place, info, rows, isReread }: Page,
  count: (by: "own" | "other" | "late") => void,
  judge: () => Promise<Visibility | undefined>,
): Promise<Visibility | undefined> {
  const by = fleet?.judgeOf(group);
  if (!fleet || by === undefined) return judge();
  if (by !== fleet.id) {
    const verdict = await fleet.verdict(group, by, place);
    if (verdict?.version === info.version && verdict.rows === rows.length) {
      count("other");
      return toVisibility(verdict, rows);
    }
    if (verdict && !isReread) {
      fleet.keep(group, verdict);
      return undefined; // the other gateway knows the table as it is now
    }
    count("late");
    return judge();
  }
  const visibility = await judge();
  if (visibility) {
    count("own");
    fleet.tell(group, toVerdict(place, info, rows, visibility));
  }
  return visibility;
}

function toVerdict(place: string, { version }: TableInfo, rows: readonly Row[], visibility: Visibility): Verdict {
  const bits = new Uint8Array(Math.ceil(rows.length / 8));
  let shown = 0;
  for (const [index, row] of rows.entries()) {
    if (!visibility.isVisible(row)) continue;
    bits[index >> 3] = (bits[index >> 3] ?? 0) | (1 << (index & 7));
    shown++;
  }
  const some = shown === 0 ? "none" : Buffer.from(bits).toString("base64url");
  const visible = shown === rows.length ? "all" : some;
  return { place, version, columns: [...visibility.columns], rows: rows.length, visible };
}

function toVisibility({ columns, visible }: Verdict, rows: readonly Row[]): Visibility {
  const bits = visible === "all" || visible === "none" ? undefined : Buffer.from(visible, "base64url");
  const shown = new Set(rows.filter((_, index) => bits && ((bits[index >> 3] ?? 0) >> (index & 7)) & 1));
  const isVisible = bits ? (row: Row) => shown.has(row) : () => visible === "all";
  return { columns: new Set(columns), isVisible };
}
