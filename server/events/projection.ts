/** The deliveries for subscriptions with the same filter, operations and columns, made once for all of them. */
import { GatewayError } from "../ground/errors.ts";
import type { Member } from "./member.ts";
import { keyText } from "../types/keyText.ts";
import type { Visibility } from "./judge.ts";
import type { Row, RowChange, TableInfo } from "./table.ts";
import {
  OPERATIONS,
  type Change,
  type ColumnTexts,
  type EventBatch,
  type EventFilter,
  type EventRecord,
  type Operation,
  type SubscribeRequest,
} from "./types.ts";

const MAX_ROWS = 1000;
const MAX_BYTES = 1_000_000;

/** A change as the group may see it. */
export interface Visible {
  readonly operation: Operation;
  readonly old: Row | undefined;
  readonly new: Row | undefined;
}

/** How rows of a table are shown to subscribers who may select certain columns of it. */
export interface Show {
  readonly info: TableInfo;
  readonly keyColumns: readonly string[];
  /** The requested columns, or all that may be selected. */
  record(row: Row, columns: readonly string[] | undefined): EventRecord;
  key(row: Row): string;
}

/** The transaction from which batches are made. */
export interface Written {
  readonly show: Show;
  readonly isFinal: boolean;
  /** The positions before and after it. */
  readonly before: string;
  readonly after: string;
  readonly writtenAtMs: number;
}

/** `allowed`: numbers of the columns that may be selected. */
export function toShow(info: TableInfo, allowed: ReadonlySet<number>): Show {
  const places = new Map(
    info.columns.flatMap(({ number, name }, place) => (allowed.has(number) ? [[name, place]] : [])),
  );
  const wanted = new Map<readonly string[] | undefined, { names: readonly string[]; signature: string }>();
  const want = (columns: readonly string[] | undefined): { names: readonly string[]; signature: string } => {
    const names = columns ? columns.filter((name) => places.has(name)) : [...places.keys()];
    const want = { names, signature: names.join("\0") };
    wanted.set(columns, want);
    return want;
  };
  const keyColumns = keyColumnsOf(info, allowed);
  return {
    info,
    keyColumns,
    record(row, columns) {
      const { names, signature } = wanted.get(columns) ?? want(columns);
      let record = row.shown.get(signature);
      if (!record) {
        const values: Record<string, string | null> = Object.create(null) as Record<string, string | null>;
        for (const name of names) values[name] = row.fields[places.get(name) as number] ?? null;
        row.shown.set(signature, (record = Object.freeze({ values: Object.freeze(values), row: row.text })));
      }
      return record;
    },
    key: (row) => keyText(keyColumns.map((name) => row.fields[places.get(name) as number] ?? null)),
  };
}

/** The primary key, or without one that may be selected all columns that may be. */
export function keyColumnsOf({ columns, key }: TableInfo, allowed: ReadonlySet<number>): readonly string[] {
  const numbers = key.length > 0 && key.every((number) => allowed.has(number)) ? key : undefined;
  if (numbers) return numbers.map((number) => columns.find((column) => column.number === number)?.name ?? "");
  return columns.filter(({ number }) => allowed.has(number)).map(({ name }) => name);
}

/**
 * The changes that can be delivered now. Before the transaction is complete (`isFinal`) some are kept back, so that the
 * last part can be marked as the last.
 */
export class VisibleChanges {
  readonly visible: readonly Visible[];
  readonly show: Show;
  readonly #passed = new Map<string, readonly boolean[]>();
  #values: readonly (readonly ColumnTexts[])[] | undefined;

  constructor(visible: readonly Visible[], show: Show) {
    this.visible = visible;
    this.show = show;
  }

  /** For each change, whether it passes the filter; undefined: none does. Throws the filter's error. */
  passing(filter: EventFilter): readonly boolean[] | undefined {
    let passed = this.#passed.get(filter.key);
    if (!passed) {
      this.#values ??= this.visible.map((change) =>
        [change.new, change.old].flatMap((row) => (row ? [this.show.record(row, undefined).values] : [])),
      );
      passed = this.#values.map((records) => records.some((record) => filter.test(record)));
      if (!passed.includes(true)) passed = NONE;
      this.#passed.set(filter.key, passed);
    }
    return passed === NONE ? undefined : passed;
  }
}

const NONE: readonly boolean[] = [];
const ALL: readonly boolean[] = [];

export class Projection {
  readonly members = new Set<Member>();
  readonly #operations: ReadonlySet<Operation>;
  readonly #filter: EventFilter | undefined;
  readonly #columns: readonly string[] | undefined;
  /** Parts made from the transaction so far. */
  parts = 0;
  #pending: Change[] = [];

  constructor({ operations, filter, columns }: SubscribeRequest) {
    this.#operations = new Set(operations ?? OPERATIONS);
    this.#filter = filter;
    this.#columns = columns;
  }

  /** Requests with the same key get the same result. */
  static keyOf({ operations, filter, columns }: SubscribeRequest): string {
    return JSON.stringify([filter?.key, OPERATIONS.filter((one) => operations?.includes(one) ?? true), columns]);
  }

  /** The right that is missing for the request; undefined when the rights suffice. */
  refusedColumn(info: TableInfo, allowed: ReadonlySet<number>): GatewayError | undefined {
    const named = new Set([...(this.#columns ?? []), ...(this.#filter?.columns ?? [])]);
    const table = `${info.schema}.${info.name}`;
    for (const name of named) {
      const column = info.columns.find((one) => one.name === name);
      if (!column) return new GatewayError("BAD_USER_INPUT", `${table} has no column ${JSON.stringify(name)}`);
      if (!allowed.has(column.number))
        return new GatewayError(
          "FORBIDDEN",
          `The account may not select the column ${JSON.stringify(name)} of ${table}`,
        );
    }
    return undefined;
  }

  /**
   * Takes the changes of the transaction, in order. Returns how many changes the filter left out. Throws the filter's error.
   */
  take(visibleChanges: VisibleChanges): number {
    const { visible, show } = visibleChanges;
    const passed = this.#filter ? visibleChanges.passing(this.#filter) : ALL;
    if (!passed) return visible.length;
    let left = 0;
    visible.forEach((change, index) => {
      if (passed !== ALL && !passed[index]) {
        left++;
        return;
      }
      if (!this.#operations.has(change.operation)) return;
      const row = (change.new ?? change.old) as Row;
      this.#pending.push(
        Object.freeze({
          operation: change.operation,
          key: show.key(row),
          old: change.old && show.record(change.old, this.#columns),
          new: change.new && show.record(change.new, this.#columns),
        }),
      );
    });
    return left;
  }

  /** Whether everything that was taken was delivered. */
  get isEmpty(): boolean {
    return this.#pending.length === 0;
  }

  /** Drops the collected changes. The subscribers get a gap instead. */
  drop(): void {
    this.#pending = [];
  }

  /**
   * The changes that can be given out now. Before the transaction is complete (`isFinal`) some are kept back, so that the
   * last part can say that it is the last.
   */
  *batches({ show, isFinal, before, after, writtenAtMs }: Written): Generator<EventBatch> {
    let start = 0;
    while (start < this.#pending.length) {
      let end = start;
      let bytes = 0;
      while (end < this.#pending.length && end - start < MAX_ROWS) {
        bytes += sizeOf(this.#pending[end] as Change);
        if (bytes > MAX_BYTES && end > start) break;
        end++;
      }
      const isLast = end === this.#pending.length;
      if (isLast && !isFinal) break;
      this.parts++;
      const changes = this.#pending.slice(start, end);
      yield toBatch(show, { changes, position: isLast ? after : before, more: !isLast, writtenAtMs });
      start = end;
    }
    this.#pending = this.#pending.slice(start);
  }
}

function sizeOf(change: Change): number {
  return (change.old?.row.length ?? 0) + (change.new?.row.length ?? 0);
}

function toBatch(
  show: Show,
  { changes, position, more, writtenAtMs }: Pick<EventBatch, "changes" | "position" | "more" | "writtenAtMs">,
): EventBatch {
  const made = new Map<string, unknown>();
  return Object.freeze({
    schema: show.info.schema,
    relation: show.info.name,
    keyColumns: show.keyColumns,
    changes: Object.freeze(changes),
    position,
    more,
    writtenAtMs,
    memo<T>(name: string, make: () => T): T {
      if (!made.has(name)) made.set(name, make());
      return made.get(name) as T;
    },
  });
}

/** An update that hides a row is a DELETE for subscribers who saw it, one that shows a row an INSERT. */
export function toVisible({ old, new: current }: RowChange, visibility: Visibility): Visible | undefined {
  const before = old && visibility.isVisible(old) ? old : undefined;
  const after = current && visibility.isVisible(current) ? current : undefined;
  if (before && after) return { operation: "UPDATE", old: before, new: after };
  if (before) return { operation: "DELETE", old: before, new: undefined };
  if (after) return { operation: "INSERT", old: undefined, new: after };
  return undefined;
}
