/** A live subscription operation: one subscription to events for each of its root fields. */
import { setTimeout } from "node:timers/promises";
import { accountKeyOf } from "../../kernel/identity/identity.ts";
import { GatewayError, toGatewayError } from "../../ground/errors.ts";
import type { EventBatch, EventHub, Subscription } from "../../events/types.ts";
import type {
  LiveOperation,
  OperationCaller,
  OperationListener,
  OperationRequest,
} from "../../events/liveOperation.ts";
import { isTransient, whyAgain } from "../../ground/retry.ts";
import type { TopicSubscriber } from "../../kernel/catalogue/topics.ts";
import { followCustomField } from "./customSubscription.ts";
import { planEvent, toEventRows } from "./eventPlan.ts";
import type { ServedSchema, SchemaRegistry } from "../build/schemaRegistry.ts";
import { causeOf, renderError } from "../operationErrors.ts";
import { readSubscription, type EventsField, type SubscriptionField } from "./subscriptionFields.ts";

export interface SubscriptionOptions {
  readonly registry: SchemaRegistry;
  readonly hub: EventHub;
  readonly topics: TopicSubscriber;
  readonly served: ServedSchema;
  readonly request: OperationRequest & { readonly query: string };
  readonly caller: OperationCaller;
  readonly listener: OperationListener;
}

/** Resolves when it is live. Rejects when it cannot be; then no part of it remains. */
export async function startSubscription(options: SubscriptionOptions): Promise<LiveOperation> {
  const subscription = new LiveSubscription(options);
  await subscription.start();
  return subscription;
}

/** The account lost the right to see it, or lacks a second factor. */
const ENDING: ReadonlySet<string> = new Set(["FORBIDDEN", "INSUFFICIENT_USER_AUTHENTICATION"]);
/** Between the positions of an operation's fields. */
const SEPARATOR = "~";

/** A root field of the operation. */
interface Part {
  subscription: Subscription | undefined;
  /** Set while an event is being delivered: the position before it. */
  before: string | undefined;
}

class LiveSubscription implements LiveOperation {
  readonly #options: SubscriptionOptions;
  readonly #parts: Part[] = [];
  readonly #live = Promise.withResolvers<void>();
  #isLive = false;
  #over = false;
  /** The root fields as the schema of `#served` has them. */
  #fields: readonly SubscriptionField[];
  #served: ServedSchema;
  readonly #stop = new AbortController();

  constructor(options: SubscriptionOptions) {
    this.#options = options;
    this.#served = options.served;
    this.#fields = readSubscription(options.served, options.request);
    options.listener.admit(this.#fields.length);
    this.#live.promise.catch(() => undefined); // for deliveries that wait for it
  }

  async start(): Promise<void> {
    const { caller, listener } = this.#options;
    try {
      await Promise.all(this.#fields.map((_, index) => this.#startField(index)));
      if (caller.signal.aborted) throw new GatewayError("CLIENT_GONE");
    } catch (error) {
      this.close();
      throw error;
    }
    if (this.#over) return;
    this.#isLive = true;
    listener.live();
    this.#live.resolve();
    caller.signal.addEventListener("abort", () => this.close(), { once: true });
  }

  async #startField(index: number): Promise<void> {
    const { hub, caller, listener } = this.#options;
    const field = this.#fields[index]!;
    const part: Part = { subscription: undefined, before: undefined };
    this.#parts[index] = part;
    if (field.kind === "custom") return this.#startCustom(index);
    if (!field.encoder) await this.#tryPlan(field);
    const subscription = await hub.subscribe({
      identity: caller.identity,
      address: caller.address,
      schema: field.schema,
      relation: field.relation,
      operations: [field.operation],
      filter: field.filter,
      columns: field.columns,
      after: this.#after(index),
      deliver: (batch) => this.#deliver(part, index, batch),
      gap: ({ after, position }) => {
        if (!this.#over) listener.gap({ after, position: this.#positionWith(part, position) ?? position });
      },
      end: (error) => this.#end(error),
    });
    part.subscription = subscription;
    if (this.#over) subscription.close();
  }

  async #startCustom(index: number): Promise<void> {
    const { caller, listener, request, topics, registry } = this.#options;
    const field = this.#fields[index]!;
    const rows = await followCustomField(
      this.#served,
      { document: field.document, variables: request.variables },
      caller,
      { topics, signal: this.#stop.signal },
    );
    void (async () => {
      await this.#live.promise;
      for await (const { data, errors } of rows) {
        if (this.#over) return;
        const rendered = errors.map((error) => renderError(error, registry.log, caller.requestId));
        await listener.rows({
          data: this.#withOthers(index, data ?? "null"),
          errors: errors.length > 0 ? JSON.stringify(rendered) : undefined,
          position: undefined,
          more: false,
        });
      }
      this.#end(undefined);
    })().catch((error: unknown) => this.#end(toGatewayError(error)));
  }

  /** A position of this operation has one part for each field; a single part counts for all. */
  #after(index: number): string | undefined {
    const { after } = this.#options.request;
    if (after === undefined) return undefined;
    const positions = after.split(SEPARATOR);
    if (positions.length === 1) return after;
    const events = this.#fields.filter(({ kind }) => kind === "events");
    if (positions.length !== events.length)
      throw new GatewayError("BAD_USER_INPUT", "after: that is a position of another operation");
    return positions[events.indexOf(this.#fields[index]!)];
  }

  /** A column that the caller may not read is refused now, not at the first event. */
  async #tryPlan(field: EventsField): Promise<void> {
    const { caller, request } = this.#options;
    const asked = { document: field.document, variables: request.variables };
    const { errors } = await planEvent(this.#served, asked, toEventRows([]), caller);
    const [error] = errors;
    if (error) throw toGatewayError(causeOf(error));
  }

  #deliver(part: Part, index: number, batch: EventBatch): void | Promise<void> {
    if (this.#over) return;
    if (!this.#isLive) return this.#live.promise.then(() => this.#deliver(part, index, batch));
    const field = this.#fieldNow(index);
    const { encoder, key, operation } = field;
    if (this.#parts.length > 1 || !encoder) part.before = part.subscription?.position;
    if (encoder) {
      const data = batch.memo(`rows ${JSON.stringify(key)} ${encoder.key}`, () => {
        const rows = batch.changes.map((change) =>
          encoder.encode((operation === "DELETE" ? change.old : change.new)!.values),
        );
        return `{${JSON.stringify(key)}:[${rows.join(",")}]}`;
      });
      return this.#give(part, batch, data, undefined);
    }
    return this.#deliverPlanned(part, index, batch);
  }

  async #deliverPlanned(part: Part, index: number, batch: EventBatch): Promise<void> {
    const { caller, request, registry } = this.#options;
    const { document, operation } = this.#fieldNow(index);
    const served = this.#served;
    const asked = { document, variables: request.variables };
    const planned = batch.memo(
      JSON.stringify([idOf(document), request.variables, accountKeyOf(caller.identity), caller.address]),
      () => {
        const rows = batch.changes.map((change) => (operation === "DELETE" ? change.old : change.new)!.row);
        return untilAnswered(() => planEvent(served, asked, toEventRows(rows), caller));
      },
    );
    const { data, errors } = await planned;
    if (this.#over) return;
    const refused = errors.map((error) => toGatewayError(causeOf(error))).find(({ code }) => ENDING.has(code));
    if (refused) return this.#end(refused);
    if (errors.some((error) => whyAgain(causeOf(error)) === "ddl")) {
      // the schema will soon match the table again
      const fresh = await registry.afterStale(served).catch(() => served);
      if (fresh !== served) return this.#deliverPlanned(part, index, batch);
    }
    const rendered = errors.map((error) => renderError(error, registry.log, caller.requestId));
    return this.#give(part, batch, data ?? "null", errors.length > 0 ? JSON.stringify(rendered) : undefined);
  }

  /** The field in the present schema: DDL may have changed its selection. */
  #fieldNow(index: number): EventsField {
    const { registry, request } = this.#options;
    const current = registry.current(this.#served.database, this.#served.name);
    if (current && current !== this.#served) {
      const fields = readSubscription(current, request);
      this.#served = current;
      this.#fields = fields;
    }
    const field = this.#fields[index];
    if (field?.kind !== "events") throw new GatewayError("BAD_USER_INPUT", "The schema has changed");
    return field;
  }

  #give(part: Part, { position, more }: EventBatch, rows: string, errors: string | undefined): void | Promise<void> {
    part.before = more ? part.before : undefined;
    const data = this.#withOthers(this.#parts.indexOf(part), rows);
    return this.#options.listener.rows({ data, errors, position: this.#positionWith(part, position), more });
  }

  /**
   * The answer of one root field, with null for the others, in the order of the operation. A client's cache would fill
   * a missing field with the last event, which it already had.
   */
  #withOthers(index: number, data: string): string {
    if (this.#fields.length === 1 || data === "null") return data;
    const members = this.#fields.map(({ key }, other) =>
      other === index ? data.slice(1, -1) : `${JSON.stringify(key)}:null`,
    );
    return `{${members.join(",")}}`;
  }

  get position(): string | undefined {
    return this.#positionWith(undefined, undefined);
  }

  /** The position of each field, in their order; `part` is at `own`. Undefined while there is no event among them. */
  #positionWith(part: Part | undefined, own: string | undefined): string | undefined {
    if (this.#parts.length === 1 && part) return own;
    const positions = this.#parts.flatMap((one) =>
      one === part ? (own ?? []) : (one.before ?? one.subscription?.position ?? []),
    );
    return positions.length > 0 ? positions.join(SEPARATOR) : undefined;
  }

  #end(error: GatewayError | undefined): void {
    if (this.#over) return;
    this.close();
    if (this.#isLive) this.#options.listener.end(error);
    else this.#live.reject(error);
  }

  close(): void {
    this.#over = true;
    this.#stop.abort();
    for (const part of this.#parts) part.subscription?.close();
  }
}

const ids = new WeakMap<object, number>();
let lastId = 0;

function idOf(document: object): number {
  const id = ids.get(document) ?? ++lastId;
  ids.set(document, id);
  return id;
}

const ATTEMPTS = 100;
const LONGEST_PAUSE_MS = 2000;

/** While a database does not answer, this waits: nothing is lost. */
async function untilAnswered<T extends { readonly errors: readonly Error[] }>(ask: () => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      const answer = await ask();
      const [error] = answer.errors;
      if (!error || !isTransient(causeOf(error)) || attempt === ATTEMPTS) return answer;
    } catch (error) {
      if (!isTransient(error) || attempt === ATTEMPTS) throw error;
    }
    await setTimeout(Math.min(LONGEST_PAUSE_MS, 50 * 2 ** attempt), undefined, { ref: false });
  }
}
