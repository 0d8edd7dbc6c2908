/** Reads of one statement on a session that stays the caller's. */
import { isLockTimeout, SQLSTATE, sqlstateOf } from "../../ground/errors.ts";
import type { Basis } from "./begin.ts";
import type { Lease } from "./lease.ts";
import type { Pin } from "./pin.ts";
import { checkedRead, isOfBasis, pinnedRead, type PinnedCheck, type PinnedRead, type Pins } from "./pins.ts";
import { PreparedAhead, type Wire } from "./wire/wire.ts";

export interface PinningOptions {
  readonly pins: Pins;
  readonly pin: Pin;
  readonly basis: Basis | undefined;
  /** Whether to return the snapshot of the statement. */
  readonly tellsSnapshot: boolean;
}

/** A statement that is the last of its request. */
export interface Single {
  readonly text: string;
  readonly name?: string | undefined;
  readonly values?: readonly unknown[] | undefined;
  /** Whether the caller does not need the snapshot. Default false. */
  readonly ignoresSnapshot?: boolean | undefined;
  /** Its form on a connection; undefined if the connection is not ready for it. Default: the statement itself. */
  formOn?(wire: Wire): { readonly text: string; readonly name: string } | undefined;
}

/** Sends a read. `ahead`: what makes the session the caller's, in the same message. */
export type SendPinned<T> = (wire: Wire, read: PinnedRead, ahead?: PreparedAhead) => Promise<T>;

/** Returns the statement to send on a connection; undefined if the read must run in a transaction. */
export function asPinned(
  { pins, pin, basis, tellsSnapshot }: PinningOptions,
  { text, name, values = [], ignoresSnapshot = false, formOn }: Single,
): ((wire: Wire) => PinnedRead | undefined) | undefined {
  if (name === undefined || (basis && basis.expected === undefined) || !pins.isWorth(pin)) return undefined;
  const isTold = tellsSnapshot && !ignoresSnapshot;
  return (wire) => {
    const form = formOn ? formOn(wire) : { text, name };
    if (!form) return undefined;
    const statement = { text: form.text, name: form.name, values };
    return pins.isCluster
      ? checkedRead(statement, pin, basis)
      : pinnedRead(statement, pin, basis, isTold ? wire : undefined);
  };
}

/**
 * Sends it, and returns the connection to the pool. Undefined if the connection is not ready for it, and after a failure of
 * any kind, which no caller sees. Throws if there is no connection, the caller is gone, or PostgreSQL worked, or waited for a
 * lock, for the allowed time.
 */
export async function runPinned<T>(
  options: PinningOptions,
  lease: Lease,
  readOn: (wire: Wire) => PinnedRead | undefined,
  send: SendPinned<T>,
): Promise<{ readonly result: T } | undefined> {
  const { pins, pin, basis } = options;
  const wire = lease.takeNow() ?? (await lease.take());
  const startedMs = performance.now();
  let read: PinnedRead | undefined;
  let isChanged = false;
  try {
    lease.refuseGone();
    read = readOn(wire);
    if (!read) return undefined;
    isChanged = !pins.isReady(wire, pin);
    const sent = read.check
      ? sendChecked(options, wire, { read, check: read.check, isChanged }, send)
      : isChanged
        ? sendBehind(options, wire, read, send)
        : send(wire, read);
    const result = await sent;
    basis?.check(basis.expected);
    pins.answered++;
    return { result };
  } catch (error) {
    if (isChanged || !isOfBasis(error)) pins.distrust(wire); // also if the caller is gone: PostgreSQL has undone the change
    lease.note(error, read?.name);
    lease.refuseGone(error);
    pins.failed++;
    if (isLate(error, performance.now() - startedMs, pin)) throw error;
    return undefined;
  } finally {
    const cancelled = lease.settle();
    if (cancelled) await cancelled;
    const forgotten = lease.forgetOutdated();
    if (forgotten) await forgotten;
    lease.giveBack();
  }
}

/** Sends the statement behind what makes the session the caller's: in one message where possible, else in one packet. */
async function sendBehind<T>(
  { pins, pin }: PinningOptions,
  wire: Wire,
  read: PinnedRead,
  send: SendPinned<T>,
): Promise<T> {
  const change = wire.isPrepared(read.name) ? pins.ahead(wire, pin) : undefined;
  if (change) return send(wire, read, new PreparedAhead([change]));
  const [made, sent] = wire.inOnePacket(() => [pins.pin(wire, pin), send(wire, read)] as const);
  await Promise.allSettled([made, sent]); // so that no further row is delivered
  const [result] = await Promise.all([sent, made]);
  return result;
}

/** Sends the statement behind the one that compares the session, and behind what makes that the caller's. */
async function sendChecked<T>(
  { pins, pin }: PinningOptions,
  wire: Wire,
  { read, check, isChanged }: { readonly read: PinnedRead; readonly check: PinnedCheck; readonly isChanged: boolean },
  send: SendPinned<T>,
): Promise<T> {
  const isReady = wire.isPrepared(check.name);
  const change = isChanged && isReady ? pins.ahead(wire, pin) : undefined;
  if (isChanged && !change) await pins.pin(wire, pin);
  if (!isReady) await wire.readRows(check, () => undefined);
  wire.remember(check.name);
  return send(wire, read, new PreparedAhead([...(change ? [change] : []), check]));
}

/**
 * Whether PostgreSQL worked for the allowed time, by the clock of this process, or waited for a lock as long as it may: another
 * attempt would take as long.
 */
function isLate(error: unknown, tookMs: number, { timeoutMs }: Pin): boolean {
  if (isLockTimeout(error)) return true;
  return sqlstateOf(error) === SQLSTATE.queryCanceled && timeoutMs > 0 && tookMs >= timeoutMs;
}
