/** The rows of a file that cannot be inserted, each with its place. */
import { GatewayError, sqlstateOf, toGatewayError } from "../../ground/errors.ts";
import type { Source } from "../../formats/source.ts";

/** Rows that are reported. An import stops when it has found as many. */
export const MOST_FAULTS = 1000;

export class Faults {
  readonly #unit: Source["unit"];
  readonly #all: GatewayError[] = [];

  constructor(unit: Source["unit"]) {
    this.#unit = unit;
  }

  get any(): boolean {
    return this.#all.length > 0;
  }

  /** Throws all that were found once they are `MOST_FAULTS`. `column`: of a value that PostgreSQL refuses. */
  add(error: unknown, place: number, column?: string): void {
    this.#all.push(placed(error, this.#unit, place, column));
    if (this.#all.length === MOST_FAULTS) throw this.error();
  }

  /** The first one, by its place, with all of them as the member `faults`. `end`: why the rest of the file was not read. */
  error(end?: GatewayError): GatewayError {
    const placeOf = ({ members }: GatewayError): number => Number(members[this.#unit]);
    const all = [...this.#all.toSorted((one, other) => placeOf(one) - placeOf(other)), ...(end ? [end] : [])];
    const [first] = all;
    const more = all.length - 1;
    const isCut = all.length === MOST_FAULTS;
    const told =
      more === 0 ? "" : ` (and ${isCut ? "at least " : ""}${more} more ${more === 1 ? "row is" : "rows are"} wrong)`;
    return new GatewayError(first!.code, `${first!.message}${told}`, {
      sqlstate: first!.sqlstate,
      cause: first!.cause,
      members: { ...first!.members, faults: all.map(({ message, members }) => ({ ...members, message })) },
    });
  }
}

/** The fault with its place and column, where it has these, as a message and as members. */
function placed(error: unknown, unit: Source["unit"], place: number, column?: string): GatewayError {
  const ofValue = column !== undefined && sqlstateOf(error) !== undefined; // PostgreSQL's message about that row alone
  const { code, message, sqlstate } = ofValue
    ? new GatewayError("BAD_USER_INPUT", (error as Error).message, { sqlstate: sqlstateOf(error) })
    : toGatewayError(error);
  return new GatewayError(code, `${unit} ${place}: ${column === undefined ? "" : `${column}: `}${message}`, {
    sqlstate,
    cause: error,
    members: { [unit]: place, ...(column !== undefined && { column }) },
  });
}
