/** Which columns of a result may be null. */
import type { ForeignTransaction } from "../database.ts";
import type { Prepared } from "./prepare.ts";

export interface Nullability {
  readonly nullable: readonly boolean[];
  readonly relations: readonly number[];
}

export async function nullabilityOf(_transaction: ForeignTransaction, prepared: Prepared): Promise<Nullability> {
  return { nullable: prepared.fields.map(() => true), relations: [] };
}
