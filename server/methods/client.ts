/**
 * A typed client of stored methods, for browsers and Node. `Methods` is the interface that `/api/v4/interfaces` and
 * `portolan interfaces` give; each of its members is a call. Nothing but fetch and WebSocket is needed.
 */

export interface ClientOptions {
  /** Address of the service, e.g. `https://data.example.org`. */
  readonly url: string;
  /** An access token, or a function that returns one. It is called before each request, and before each opening of a socket. */
  readonly token: string | (() => string | Promise<string>);
  /** Default: the global one. */
  readonly fetch?: typeof globalThis.fetch;
}

export interface Client<Methods> {
  /**
   * `await client.methods.citiesOf({ code: "DE" })`: the rows. Rejects with `RpcError`, and with another error where the
   * service cannot be reached or the connection is lost.
   */
  readonly methods: Methods;
  /** Runs what `collect` calls as one transaction, all or nothing: `client.batch((m) => [m.a({}), m.b({})])`. */
  batch<Calls extends readonly Promise<unknown>[]>(
    collect: (methods: Methods) => readonly [...Calls],
  ): Promise<{ -readonly [N in keyof Calls]: Awaited<Calls[N]> }>;
  /** Sends the collected calls without waiting for an answer; errors are not reported. */
  notify(collect: (methods: Methods) => unknown): Promise<void>;
  /** Closes the WebSocket, if there is one; the next call opens another. */
  close(): void;
}

/** The failure of a call: `error` of JSON-RPC 2.0. */
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
    const text = await response.text();
    if (response.ok) return JSON.parse(text) as unknown;
    throw new RpcError({ code: -32603, ...problemOf(response, text) });
  };
  return clientOver<Methods>(send, () => undefined);
}

/** A WebSocket, and the waiting requests by the id of the first of each message. */
interface Line {
  readonly socket: WebSocket;
  readonly waiting: Map<number, Waiter>;
  /** No other call uses it. */
  forget(): void;
}

interface Waiter {
  readonly batch: boolean;
  resolve(response: unknown): void;
  reject(error: Error): void;
}

/**
 * The same over one WebSocket. The first call opens it, and so does the next call after it has closed, such as at the
 * end of the token. Calls that then wait for an answer are rejected: whether they took effect is unknown.
 */
export function createSocketClient<Methods extends object>(options: ClientOptions): Client<Methods> {
  let line: Promise<Line> | undefined;

  /** The present socket, open or opening. A socket that has ended or failed to open is not used again. */
  function current(): Promise<Line> {
    if (line) return line;
    const forget = (): void => {
      if (line === opening) line = undefined;
    };
    const opening = Promise.resolve().then(() => open(forget));
    opening.catch(forget);
    return (line = opening);
  }

  async function open(forget: () => void): Promise<Line> {
    const url = new URL(withSlash(options.url));
    url.protocol = url.protocol.replace("http", "ws");
    url.searchParams.set("token", await tokenOf(options));
    const opened: Line = { socket: new WebSocket(url), waiting: new Map(), forget };
    await new Promise<void>((resolve, reject) => {
      opened.socket.addEventListener("message", ({ data }) => receive(opened, JSON.parse(String(data))));
      opened.socket.addEventListener("open", () => resolve());
      opened.socket.addEventListener("close", ({ code, reason }) => {
        forget();
        const error = new Error(`the socket has closed (${code}${reason && `, ${reason}`})`);
        reject(error);
        failAll(opened, error);
      });
    });
    return opened;
  }

  function failAll({ waiting }: Line, error: Error): void {
    for (const { reject } of waiting.values()) reject(error);
    waiting.clear();
  }

  function receive(from: Line, message: RpcResponse | readonly RpcResponse[] | RefusedMessage): void {
    const list = (Array.isArray(message) ? message : [message]) as readonly Partial<RpcResponse>[];
    const id = list.map((one) => one.id).find((one) => typeof one === "number" && from.waiting.has(one));
    const waiter = typeof id === "number" ? from.waiting.get(id) : undefined;
    if (waiter) {
      from.waiting.delete(id as number);
      waiter.resolve(waiter.batch ? message : list[0]);
    } else if (list.some(isError)) {
      failAll(from, refusal(list.find(isError) as RefusedMessage)); // none of them may wait for ever
      from.forget();
      from.socket.close();
    }
  }

  const send: Send = async (message) => {
    const { socket, waiting } = await current();
    const batch = Array.isArray(message);
    const id = ((batch ? message : [message]) as RpcRequest[]).find((request) => request.id !== undefined)?.id;
    const answer =
      id === undefined
        ? undefined
        : new Promise<unknown>((resolve, reject) => waiting.set(id, { resolve, reject, batch }));
    socket.send(JSON.stringify(message));
    return answer;
  };
  return clientOver<Methods>(send, () => {
    void line?.then(({ socket }) => socket.close()).catch(() => undefined); // the caller got the error
    line = undefined;
  });
}

/** An error without a request: of JSON-RPC with id null, or of the service's own protocol, whose `error` is a string. */
interface RefusedMessage {
  readonly error: RpcErrorBody | string;
  readonly message?: string;
}

function refusal({ error, message = "" }: RefusedMessage): RpcError {
  return new RpcError(typeof error === "string" ? { code: -32600, message, data: { code: error } } : error);
}

function isError(message: object): boolean {
  return "error" in message;
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

/** The detail of a problem (RFC 9457); a proxy may answer in another form. */
function problemOf(response: Response, text: string): Pick<RpcErrorBody, "message" | "data"> {
  try {
    const { detail, ...data } = JSON.parse(text) as { detail?: string };
    return { message: detail ?? response.statusText, data };
  } catch {
    return { message: response.statusText, data: { status: response.status } };
  }
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
