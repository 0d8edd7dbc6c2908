/** One subscription, as the hub and its groups hold it. */
import type { Position, Snapshot } from "./position.ts";
import type { Table } from "./table.ts";
import type { SubscribeRequest } from "./types.ts";

export interface Member {
  readonly request: SubscribeRequest;
  readonly table: Table;
  /** Transactions that it has already seen, because it began after they had ended. */
  since: Snapshot | undefined;
  /** Its position while it is in no group. */
  position: Position;
  group: MemberGroup | undefined;
  /** Parts of an unfinished transaction that it has received; they are not delivered again. */
  got: { readonly batch: number; readonly last: number; readonly parts: number } | undefined;
  ended: boolean;
}

export interface MemberGroup {
  readonly position: Position;
  remove(member: Member): void;
}
