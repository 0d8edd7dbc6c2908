/**
 * The logs of the nodes of a Citus cluster: messages of pgoutput (protocol 1, "Logical Replication Message Formats" of
 * PostgreSQL's documentation), as `portolan.read_shard` gives them, become changes in one order.
 */
import { formatRecord } from "./record.ts";

/** The most rows and bytes of one change, as those of `portolan.emit_rows`. */
const MOST_ROWS = 1000;
const MOST_BYTES = 1_000_000;
/** The approximate size in bytes of the parts in which changes are kept. A transaction is in one part. */
const PART_BYTES = 16_000_000;
/** 2000-01-01, from which PostgreSQL counts, in microseconds. */
const EPOCH_US = 946_684_800_000_000n;

export interface NodeLog {
  /** The group of the node. */
  readonly node: number;
  /** The position up to which it was read before. Repeated changes, after a crash of the node, are left out. */
  readonly known: string | null;
  readonly log: string;
}

/** Rows of one table and kind. `t`: the table was truncated. */
export interface ShardChange {
  readonly schema: string;
  readonly name: string;
  /** Name and type of each, as `portolan.logged_columns` has them. */
  readonly columns: readonly Column[];
  readonly operation: "i" | "u" | "d" | "t";
  /** The commit, in seconds since 1970. */
  readonly at: number;
  readonly old?: string[];
  readonly new?: string[];
}

type Column = readonly [name: string, type: string];

/** The most bytes that are kept at once. */
interface Part {
  /** How far each node was read. */
  readonly upto: Record<string, string>;
  readonly changes: ShardChange[];
}

export interface Round {
  readonly parts: readonly Part[];
  /** Whether a node has more that can be read now. */
  readonly isMore: boolean;
}

interface Relation {
  readonly schema: string;
  readonly name: string;
  readonly columns: readonly Column[];
}

interface Transaction {
  readonly node: number;
  /** The commit, in microseconds since 1970. */
  readonly atUs: bigint;
  readonly end: bigint;
  readonly bytes: number;
  readonly changes: readonly Omit<ShardChange, "at">[];
}

interface ReadLog extends Pick<NodeLog, "node" | "known"> {
  readonly upto: string;
  readonly atUs: bigint;
  readonly isWhole: boolean;
  readonly transactions: readonly Transaction[];
}

/**
 * The changes of all nodes, by the time of their commit; those of a node stay in its order. Transactions that were committed
 * after the first node was asked wait for the next round, since another node may have an earlier one of the same row, whose
 * shard has moved.
 */
export function toRound(logs: readonly NodeLog[]): Round {
  const read = logs.map(readLog);
  const untilUs = read.reduce((first, { atUs }) => (atUs < first ? atUs : first), read[0]?.atUs ?? 0n);
  const upto: Record<string, string> = {};
  const queues: Transaction[][] = [];
  let isMore = false;
  for (const { node, known, transactions, isWhole, upto: end } of read) {
    const seen = toPosition(known ?? "0/0");
    const fresh = transactions.filter((transaction) => transaction.end > seen);
    const later = fresh.findIndex(({ atUs }) => atUs > untilUs);
    const queue = later === -1 ? fresh : fresh.slice(0, later);
    if (later === -1 && isWhole) upto[node] = end;
    isMore ||= queue.length > 0 && (later !== -1 || !isWhole);
    queues.push(queue);
  }
  const parts = toParts(inOrder(queues));
  const last = parts.at(-1);
  if (last) Object.assign(last.upto, upto);
  else if (read.length > 0) parts.push({ upto, changes: [] });
  return { parts, isMore };
}

function* inOrder(queues: readonly Transaction[][]): Generator<Transaction> {
  for (;;) {
    const first = queues.reduce<Transaction[] | undefined>(
      (best, queue) => (queue[0] && (!best?.[0] || queue[0].atUs < best[0].atUs) ? queue : best),
      undefined,
    );
    const transaction = first?.shift();
    if (!transaction) return;
    yield transaction;
  }
}

function toParts(transactions: Iterable<Transaction>): Part[] {
  const parts: Part[] = [];
  let bytes = Infinity;
  for (const { node, end, atUs, bytes: more, changes } of transactions) {
    if (bytes + more > PART_BYTES) {
      parts.push({ upto: {}, changes: [] });
      bytes = 0;
    }
    const { upto, changes: together } = parts.at(-1)!;
    const at = Number(atUs) / 1e6;
    for (const change of changes) together.push({ ...change, at });
    upto[node] = formatPosition(end);
    bytes += more;
  }
  return parts;
}

function readLog({ node, known, log }: NodeLog): ReadLog {
  const [head = "", ...messages] = log.split("\n");
  const [upto = "", at = "0", isWhole, isLarge] = head.split(" ");
  return {
    node,
    known,
    upto,
    atUs: BigInt(Math.round(Number(at) * 1e6)),
    isWhole: isWhole === "t",
    transactions: toTransactions(node, messages, isLarge === "t"),
  };
}

/** `isLarge`: of the one transaction only its tables are told, as if they were truncated. */
function toTransactions(node: number, messages: readonly string[], isLarge: boolean): readonly Transaction[] {
  const transactions: Transaction[] = [];
  const relations = new Map<number, Relation>();
  const types = new Map<number, string>();
  let changes = new Changes();
  for (const message of messages) {
    const reader = new Reader(Buffer.from(message, "hex"));
    switch (reader.letter()) {
      case "B":
        changes = new Changes();
        break;
      case "C": {
        reader.skip(9);
        const end = reader.int64();
        transactions.push({ node, end, atUs: reader.int64() + EPOCH_US, bytes: changes.bytes, changes: changes.all });
        break;
      }
      case "R": {
        const id = reader.int32();
        const [schema, name] = [reader.text(), reader.text()];
        reader.skip(1);
        const columns = Array.from({ length: reader.int16() }, (): Column => {
          reader.skip(1);
          const column = reader.text();
          const type = reader.int32();
          reader.skip(4);
          return [column, types.get(type) ?? String(type)];
        });
        relations.set(id, { schema, name, columns });
        if (isLarge) changes.add({ schema, name, columns }, "t", undefined, undefined);
        break;
      }
      case "Y": {
        const id = reader.int32();
        const [schema, name] = [reader.text(), reader.text()];
        types.set(id, schema === "" ? name : `${schema}.${name}`);
        break;
      }
      case "I": {
        const relation = relations.get(reader.int32());
        reader.skip(1);
        if (relation) changes.add(relation, "i", undefined, reader.tuple(undefined));
        break;
      }
      case "U": {
        const relation = relations.get(reader.int32());
        let old: (string | null)[] | undefined;
        if (reader.letter() !== "N") {
          old = reader.tuple(undefined);
          reader.skip(1);
        }
        if (relation) changes.add(relation, "u", old, reader.tuple(old));
        break;
      }
      case "D": {
        const relation = relations.get(reader.int32());
        reader.skip(1);
        if (relation) changes.add(relation, "d", reader.tuple(undefined), undefined);
        break;
      }
      case "T": {
        const count = reader.int32();
        reader.skip(1);
        for (let at = 0; at < count; at++) {
          const relation = relations.get(reader.int32());
          if (relation) changes.add(relation, "t", undefined, undefined);
        }
        break;
      }
      default: // origins
    }
  }
  return transactions;
}

/** Of one transaction; those of one table and kind that follow each other are one. */
class Changes {
  readonly all: Omit<ShardChange, "at">[] = [];
  /** Of all, and of the last. */
  bytes = 0;
  #bytes = 0;

  add(relation: Relation, operation: ShardChange["operation"], old?: Fields, fresh?: Fields): void {
    const texts = [old && formatRecord(old), fresh && formatRecord(fresh)] as const;
    const bytes = (texts[0]?.length ?? 0) + (texts[1]?.length ?? 0);
    this.bytes += bytes;
    const last = this.all.at(-1);
    const rows = last?.old?.length ?? last?.new?.length ?? 0;
    const isSame = last?.operation === operation && last.schema === relation.schema && last.name === relation.name;
    if (last && isSame && rows < MOST_ROWS && this.#bytes + bytes <= MOST_BYTES) {
      if (texts[0] !== undefined) last.old?.push(texts[0]);
      if (texts[1] !== undefined) last.new?.push(texts[1]);
      this.#bytes += bytes;
      return;
    }
    this.#bytes = bytes;
    this.all.push({
      ...relation,
      operation,
      ...(texts[0] !== undefined && { old: [texts[0]] }),
      ...(texts[1] !== undefined && { new: [texts[1]] }),
    });
  }
}

type Fields = readonly (string | null)[];

class Reader {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  skip(count: number): void {
    this.#at += count;
  }

  letter(): string {
    return String.fromCharCode(this.#bytes[this.#at++] ?? 0);
  }

  int16(): number {
    this.#at += 2;
    return this.#bytes.readUInt16BE(this.#at - 2);
  }

  int32(): number {
    this.#at += 4;
    return this.#bytes.readUInt32BE(this.#at - 4);
  }

  int64(): bigint {
    this.#at += 8;
    return this.#bytes.readBigInt64BE(this.#at - 8);
  }

  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    const text = this.#bytes.toString("utf8", this.#at, end);
    this.#at = end + 1;
    return text;
  }

  /** `old`: has the long values that an update left alone, which are not sent again. */
  tuple(old: Fields | undefined): (string | null)[] {
    return Array.from({ length: this.int16() }, (_, index) => {
      const kind = this.letter();
      if (kind === "u") return old?.[index] ?? null;
      if (kind === "n") return null;
      const length = this.int32();
      this.#at += length;
      return this.#bytes.toString("utf8", this.#at - length, this.#at);
    });
  }
}

/** A position in a log as PostgreSQL writes it: `16/B3748`. */
function toPosition(text: string): bigint {
  const [high = "0", low = "0"] = text.split("/");
  return (BigInt(`0x${high}`) << 32n) | BigInt(`0x${low}`);
}

function formatPosition(position: bigint): string {
  return `${(position >> 32n).toString(16)}/${(position & 0xffff_ffffn).toString(16)}`.toUpperCase();
}
