/**
 * A typed client of stored methods, for browsers and Node. `Methods` is the interface that `/api/v4/interfaces` and
 * `portolan interfaces` give; each of its members is a call. Nothing but fetch and WebSocket is needed.
 */

export interface ClientOptions {
  /** Address of the service, e.g. `https://data.example.org`. */
  readonly url: string;
  /** An access token, or what gives one; it is asked before each request, and once for each socket. */
  readonly token: string | (() => string | Promise<string>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface Client<Methods> {
  /** `await client.methods.citiesOf({ code: "DE" })`: the rows. Rejects with `RpcError`. */
  readonly methods: Methods;
  /** Runs what `collect` calls as one transaction, all or nothing: `client.batch((m) => [m.a({}), m.b({})])`. */
  batch<Calls extends readonly Promise<unknown>[]>(
    collect: (methods: Methods) => readonly [...Calls],
  ): Promise<{ -readonly [N in keyof Calls]: Awaited<Calls[N]> }>;
  /** Sends what `collect` calls without waiting for an answer; what goes wrong is not told. */
  notify(collect: (methods: Methods) => unknown): Promise<void>;
  close(): void;
}

/** What a call was answered instead of rows: `error` of JSON-RPC 2.0. */
export class RpcError extends Error {
  override readonly name = "RpcError";
  readonly code: number;
  readonly data: Readonly<Record<string, unknown>>;

  constructor({ code, message, data = {} }: RpcErrorBody) {
    super(typeof data["detail"] === "string" ? `${message}: ${data["detail"]}` : message);
    this.code = code;
    this.data = data;
  }
}

interface RpcErrorBody {
  readonly code: number;
  readonly message: string;
  readonly data?: Readonly<Record<string, unknown>>;
}

interface RpcRequest {
  readonly jsonrpc: "2.0";
  readonly method: string;
  readonly params?: unknown;
  readonly id?: number;
}

interface RpcResponse {
  readonly id: number | null;
  readonly result?: { readonly data: unknown };
  readonly error?: RpcErrorBody;
}

/** Takes a request or a batch; gives the answer, or undefined for notifications. */
type Send = (message: RpcRequest | readonly RpcRequest[]) => Promise<unknown>;

/** A client that sends each call, or batch, as one request to `/api/v4/call`. */
export function createClient<Methods extends object>(options: ClientOptions): Client<Methods> {
  const endpoint = new URL("api/v4/call", withSlash(options.url));
  const request = options.fetch ?? globalThis.fetch;
  const send: Send = async (message) => {
    const response = await request(endpoint, {
      method: "POST",
      headers: { "Content-Type": "application/json", Authorization: `Bearer ${await tokenOf(options)}` },
      body: JSON.stringify(message),
    });
    if (response.status === 204) return undefined;
    const body: unknown = await response.json();
    if (response.ok) return body;
    const { detail, ...data } = body as { detail?: string };
    throw new RpcError({ code: -32603, message: detail ?? response.statusText, data });
  };
  return clientOver<Methods>(send, () => undefined);
}

/** The same over one WebSocket, which is opened by the first call, and again after it has closed. */
export function createSocketClient<Methods extends object>(options: ClientOptions): Client<Methods> {
  let socket: Promise<WebSocket> | undefined;
  const waiting = new Map<number, { resolve(response: unknown): void; reject(error: Error): void; batch: boolean }>();

  async function open(): Promise<WebSocket> {
    const url = new URL(withSlash(options.url));
    url.protocol = url.protocol.replace("http", "ws");
    url.searchParams.set("token", await tokenOf(options));
    const opened = new WebSocket(url);
    opened.addEventListener("message", ({ data }) => receive(JSON.parse(String(data))));
    await new Promise<void>((resolve, reject) => {
      opened.addEventListener("open", () => resolve());
      opened.addEventListener("close", ({ code, reason }) => {
        socket = undefined;
        const error = new Error(`the socket has closed (${code}${reason && `, ${reason}`})`);
        reject(error);
        for (const { reject: fail } of waiting.values()) fail(error);
        waiting.clear();
      });
    });
    return opened;
  }

  function receive(message: RpcResponse | readonly RpcResponse[]): void {
    const list = Array.isArray(message) ? (message as RpcResponse[]) : [message as RpcResponse];
    for (const { id } of list) {
      const waiter = id === null ? undefined : waiting.get(id);
      if (!waiter) continue;
      waiter.resolve(waiter.batch ? list : list[0]);
      for (const one of list) if (one.id !== null) waiting.delete(one.id);
      return;
    }
  }

  const send: Send = async (message) => {
    const opened = await (socket ??= open().catch((error: unknown) => {
      socket = undefined;
      throw error;
    }));
    const batch = Array.isArray(message);
    const [first] = (batch ? message : [message]) as RpcRequest[];
    const id = first?.id;
    const answer =
      id === undefined
        ? Promise.resolve(undefined)
        : new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject, batch }));
    opened.send(JSON.stringify(message));
    return answer;
  };
  return clientOver<Methods>(send, () => void socket?.then((opened) => opened.close()).catch(() => undefined));
}

let lastId = 0;

function clientOver<Methods extends object>(send: Send, close: () => void): Client<Methods> {
  const call = async (method: string, params: unknown): Promise<unknown> => {
    const answer = await send(toRequest(method, params, ++lastId));
    return dataOf(answer as RpcResponse);
  };
  return {
    methods: proxy<Methods>(call),
    async batch(collect) {
      const requests: RpcRequest[] = [];
      collect(
        proxy<Methods>((method, params) => {
          requests.push(toRequest(method, params, ++lastId));
          return new Promise(() => undefined); // only its type is used
        }),
      );
      if (requests.length === 0) return [] as never;
      const answer = (await send(requests)) as RpcResponse | RpcResponse[];
      if (!Array.isArray(answer)) return dataOf(answer) as never;
      const failed = answer.find(({ error }) => error && error.code !== -32000) ?? answer.find(({ error }) => error);
      if (failed) dataOf(failed);
      return requests.map(({ id }) => dataOf(answer.find((one) => one.id === id)!)) as never;
    },
    async notify(collect) {
      const requests: RpcRequest[] = [];
      collect(
        proxy<Methods>((method, params) => {
          requests.push(toRequest(method, params));
          return new Promise(() => undefined);
        }),
      );
      if (requests.length > 0) await send(requests);
    },
    close,
  };
}

function proxy<Methods extends object>(call: (method: string, params: unknown) => Promise<unknown>): Methods {
  return new Proxy({} as Methods, {
    // a promise of the proxy must not take it for one
    get: (_target, name) =>
      typeof name === "symbol" || name === "then" ? undefined : (params?: unknown) => call(name, params),
  });
}

function toRequest(method: string, params: unknown, id?: number): RpcRequest {
  return { jsonrpc: "2.0", method, ...(params !== undefined && { params }), ...(id !== undefined && { id }) };
}

function dataOf({ result, error }: RpcResponse): unknown {
  if (error) throw new RpcError(error);
  return result?.data;
}

function tokenOf({ token }: ClientOptions): string | Promise<string> {
  return typeof token === "string" ? token : token();
}

function withSlash(url: string): string {
  return url.endsWith("/") ? url : `${url}/`;
}
