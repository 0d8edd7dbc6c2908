/** The service's own protocol at `/`, see PROTOCOL.md. */
import { parsePosition, ReadPoint } from "../kernel/database/database.ts";
import { GatewayError, toGatewayError } from "../ground/errors.ts";
import { logFailure } from "../ground/log.ts";
import { requestIdMember } from "../ground/requestIds.ts";
import { DocumentError, type OperationListener } from "../events/liveOperation.ts";
import { CLOSE } from "./closeCodes.ts";
import { nonceOf } from "./nonce.ts";
import type { Connection } from "./connection.ts";
import { sharedFrame } from "./frame.ts";
import {
  MessageError,
  readMessage,
  splitRelation,
  type Message,
  type RawSubscription,
  type Subscribe,
} from "./messages.ts";
import { startRawSubscription } from "./rawSubscription.ts";
import { RequestQueue } from "./requestQueue.ts";
import { admitSubscriptions, type Running, type Session, type SocketContext } from "./session.ts";

export interface DialectOptions extends Session {
  /** From the URL: names of tables to subscribe to. */
  readonly rels: string | undefined;
}

/** Speaks with a client until the socket ends. */
export function speakDialect(options: DialectOptions): void {
  new Dialect(options);
}

interface Stoppable extends Running {
  stop: AbortController;
}

/** GatewayError → the word that clients get; others go by their own code. */
const ERROR_WORDS: Readonly<Record<string, string>> = {
  FORBIDDEN: "NOT_ALLOWED",
  BAD_USER_INPUT: "INVALID_SUBSCRIPTION",
  NOT_FOUND: "INVALID_SUBSCRIPTION",
};

class Dialect {
  readonly #options: DialectOptions;
  readonly #connection: Connection;
  readonly #running = new Map<string, Stoppable>();
  readonly #queue: RequestQueue;

  constructor(options: DialectOptions) {
    const { webSocket, connection } = options;
    this.#options = options;
    this.#connection = connection;
    this.#queue = new RequestQueue(connection);
    const onExpired = (): void => this.#refuse("invalid_token", "The access token has ended");
    const onIdentity = (): void => this.#onIdentity();
    connection.login.onExpired = onExpired;
    connection.login.onIdentity = onIdentity;
    connection.signal.addEventListener("abort", () => {
      for (const { stop } of this.#running.values()) stop.abort();
    });
    webSocket.on("message", (data, isBinary) => {
      if (isBinary) connection.close(CLOSE.unsupportedData);
      else this.#receive((data as Buffer).toString("utf8"));
    });
    this.#queue.add(() => this.#begin());
  }

  /** Messages that come before it is done wait. */
  async #begin(): Promise<void> {
    const { token, proof, rels, admit } = this.#options;
    this.#queue.hold();
    if (token === undefined || token === "") return this.#refuse("missing_token", "The URL must have ?token=");
    if (!(await this.#authenticate(token, proof))) return;
    const { identity } = this.#connection.login;
    try {
      if (identity) await admit(identity);
    } catch (error) {
      this.#sendError(undefined, error);
      return this.#connection.close(CLOSE.limitExceeded, (error as Error).message);
    }
    this.#queue.release();
    for (const name of new Set(rels?.split(",").filter(Boolean))) {
      const relation = splitRelation(name);
      const all = { where: undefined, columns: undefined, op: undefined, after: undefined };
      if (relation) this.#queue.add(() => this.#handle({ type: "subscription", id: name, ...relation, ...all }));
      else
        this.#send({
          type: "error",
          id: name,
          error: "INVALID_SUBSCRIPTION",
          message: `rels: name ${name} as schema.table`,
        });
    }
  }

  async #authenticate(token: string, proof: string | undefined): Promise<boolean> {
    try {
      const verified = await this.#options.verify(token, { proof, path: this.#options.path });
      const before = this.#connection.login.identity;
      if (before && (before.name !== verified.identity.name || before.database !== verified.identity.database))
        throw new GatewayError("UNAUTHENTICATED", "The token is of another account");
      this.#connection.login.authenticate(token, verified);
      return true;
    } catch (thrown) {
      const error = toGatewayError(thrown);
      const nonce = nonceOf(error);
      if (nonce !== undefined) this.#refuse("use_dpop_nonce", error.message, nonce);
      else if (error.code === "UNAUTHENTICATED") this.#refuse("invalid_token", error.message);
      else {
        this.#sendError(undefined, error);
        if (!this.#connection.login.identity)
          this.#connection.close(CLOSE.unauthenticated, "The token cannot be verified now");
      }
      return false;
    }
  }

  #refuse(error: "missing_token" | "invalid_token" | "use_dpop_nonce", message: string, nonce?: string): void {
    this.#send({ type: "error", error, message, nonce });
    this.#connection.close(CLOSE.unauthenticated, message);
  }

  #receive(text: string): void {
    let message: Message;
    try {
      message = readMessage(text);
    } catch (error) {
      if (!(error instanceof MessageError)) return this.#sendError(undefined, error);
      const { code, id, message: words } = error;
      return this.#send({ type: "error", ...(id !== undefined && { id }), error: code, message: words });
    }
    this.#queue.add(() => this.#handle(message));
  }

  /** The work up to its first wait is done in the order of messages. Never rejects. */
  async #handle(message: Message): Promise<void> {
    try {
      switch (message.type) {
        case "ping":
          return this.#send({ type: "pong" });
        case "unsubscribe":
          return this.#unsubscribe(message.id);
        case "authenticate":
          if (await this.#authenticate(message.token, message.dpop)) this.#send({ type: "authenticate_ack" });
          return;
        case "subscribe":
        case "subscription":
          return await this.#start(message, message.after);
        case "call":
        case "sql":
          return await this.#answer(message.type, message.text);
      }
    } catch (error) {
      this.#sendError("id" in message ? message.id : undefined, error);
    }
  }

  #unsubscribe(id: string): void {
    const running = this.#running.get(id);
    if (!running)
      return this.#send({
        type: "error",
        id,
        error: "INVALID_MESSAGE",
        message: "There is no subscription of this id",
      });
    this.#running.delete(id);
    running.stop.abort();
    this.#send({ type: "complete", id });
  }

  async #start(message: Subscribe | RawSubscription, after: string | undefined): Promise<void> {
    const { id } = message;
    if (this.#running.has(id))
      return this.#send({ type: "error", id, error: "INVALID_MESSAGE", message: "The id is in use" });
    const running: Stoppable = { stop: new AbortController(), subscriptions: 0, restart: undefined };
    this.#running.set(id, running);
    await this.#run(message, running, after, true);
  }

  async #run(message: Subscribe | RawSubscription, running: Stoppable, after: string | undefined, isNew: boolean) {
    const { id } = message;
    const { stop } = running;
    const quote = JSON.stringify(id);
    const isCurrent = (): boolean => this.#running.get(id) === running && running.stop === stop && !stop.signal.aborted;
    const finish = (): void => void this.#running.delete(id);
    const seen = message.type === "subscribe" && message.lsn !== undefined ? parsePosition(message.lsn) : undefined;
    let written = "";
    const point = new ReadPoint(seen, (lsn) => (written = `"lsn":"${lsn}",`));
    const caller = { ...this.#context(), signal: stop.signal, point };
    const shared = {
      admit: (subscriptions: number) =>
        admitSubscriptions(this.#options, this.#running.values(), running, subscriptions),
      gap: (gap: { after: string; position: string }) => {
        if (isCurrent()) this.#send({ type: "gap", id, ...gap });
      },
      end: (error: GatewayError | undefined) => {
        if (!isCurrent()) return;
        finish();
        if (error) this.#sendError(id, error);
        this.#send({ type: "complete", id });
      },
    };
    try {
      if (isNew) await this.#count();
      const operation =
        message.type === "subscription"
          ? await startRawSubscription({ ...message, after }, caller, this.#options, {
              ...shared,
              live: () => isNew && this.#send({ type: "subscription_ack", id }),
              batch: (text) => this.#deliver(isCurrent, `{"type":"batch","id":${quote},`, text, ""),
            })
          : await this.#options.run({ ...message, after }, caller, {
              ...shared,
              live: () => isNew && this.#send({ type: "subscribe_ack", id }),
              answer: (text) => {
                if (!isCurrent()) return;
                finish();
                this.#connection.outbox.send(`{"type":"next","id":${quote},${written}${text.slice(1)}`);
                this.#send({ type: "complete", id });
              },
              rows: ({ data, errors, position, more }) =>
                this.#deliver(
                  isCurrent,
                  `{"type":"subscription","id":${quote},"data":`,
                  data,
                  `${errors === undefined ? "" : `,"errors":${errors}`}` +
                    `${position === undefined ? "" : `,"position":"${position}"`}${more ? ',"more":true' : ""}}`,
                ),
            } satisfies OperationListener);
      if (operation && isCurrent()) {
        const restart = (): void => {
          const from = operation.position;
          operation.close();
          running.stop = new AbortController();
          running.restart = undefined;
          void this.#run(message, running, from, false);
        };
        running.restart = restart;
      }
    } catch (error) {
      if (!isCurrent()) return;
      finish();
      this.#sendError(id, error);
      if (!isNew) this.#send({ type: "complete", id });
    }
  }

  #deliver(isCurrent: () => boolean, head: string, shared: string, tail: string): void | Promise<void> {
    if (!isCurrent()) return;
    this.#connection.outbox.sendFrame(sharedFrame(head, shared, tail));
    return this.#connection.outbox.drained();
  }

  async #answer(type: "call" | "sql", text: string): Promise<void> {
    const refused = await this.#count().then(
      () => undefined,
      (reason: unknown) => ({ reason }),
    );
    if (refused && type === "sql") throw refused.reason;
    let written: string | undefined;
    const point = new ReadPoint(undefined, (lsn) => (written = lsn));
    const result = refused
      ? this.#options.refuseCall(this.#context(), text, refused.reason)
      : await this.#options[type]({ ...this.#context(), point }, text);
    if (result === undefined) return; // a notification gets no answer
    if (written !== undefined) this.#send({ type: "lsn", lsn: written });
    this.#send(result);
  }

  /** A request over a socket counts as one over HTTP. */
  #count(): Promise<void> {
    const { name, database } = this.#context().identity;
    return this.#options.count(`account ${name}@${database}`);
  }

  #context(): SocketContext {
    const { login, address, operations, signal } = this.#connection;
    const { identity } = login;
    if (!identity) throw new GatewayError("UNAUTHENTICATED");
    return { identity, address, requestId: operations.next(), signal };
  }

  /** Policies that read claims must see the present ones. */
  #onIdentity(): void {
    for (const { restart } of this.#running.values()) restart?.();
  }

  #send(message: unknown): void {
    this.#connection.outbox.send(typeof message === "string" ? message : JSON.stringify(message));
  }

  #sendError(id: string | undefined, thrown: unknown): void {
    const error = toGatewayError(thrown);
    const requestId = this.#connection.operations.next();
    logFailure(this.#options.log, error, requestId);
    const word =
      error instanceof DocumentError && error.code === "BAD_USER_INPUT" ? "SUBSCRIPTION_PARSE_ERROR" : undefined;
    this.#send({
      type: "error",
      ...(id !== undefined && { id }),
      error: word ?? (id === undefined ? undefined : ERROR_WORDS[error.code]) ?? error.code,
      message: error.message,
      ...(error instanceof DocumentError && { errors: error.errors }),
      ...(error.sqlstate !== undefined && { sqlstate: error.sqlstate }),
      ...error.members,
      ...requestIdMember(error.code, requestId),
    });
  }
}
