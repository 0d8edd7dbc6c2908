/**
 * That whose code a request can run is what it was when that was judged: raised by the statement that begins the transaction, so
 * that no statement behind it runs.
 */
import { GatewayError } from "../../ground/errors.ts";
import { Changed } from "../../ground/retry.ts";
import type { Basis } from "./begin.ts";

/** PostgreSQL has no setting of such a name, and raises where it is asked for it. */
const OTHER = "portolan.code_is_other";
const RAISE = `pg_catalog.current_setting('${OTHER}')`;
const isSame = (place: number): string =>
  `(select g.generation from portolan.code_generation g)::pg_catalog.text operator(pg_catalog.=) $${place}`;

/** Whose code the request runs is another one by now. A door that runs requests again does so for this. */
export class OtherCode extends GatewayError {
  /** Whether the transaction had begun, so that statements of it may have run. */
  readonly hasBegun: boolean;

  constructor({ hasBegun }: { readonly hasBegun: boolean }) {
    super("UNAVAILABLE", "Rights were changed while the request ran: try again", { cause: new Changed("code") });
    this.hasBegun = hasBegun;
  }
}

/** What a request is made of, and whose code that runs; `generation` as it was judged. */
export function withCode(basis: Basis | undefined, generation: string): Basis {
  const values = [...(basis?.values ?? []), generation];
  return {
    ...basis,
    sql: `case when ${isSame(values.length)} then ${basis?.sql ?? "'same'"} else ${RAISE} end`,
    values,
    expected: basis ? basis.expected : "same",
    check: (value) => basis?.check(value),
  };
}

/** Whether it has raised. */
export function isOtherCode(error: unknown): boolean {
  return error instanceof Error && error.message.includes(OTHER);
}
