/** The routes of resources: identifies the caller, checks the body, runs the operation as the caller's role, answers. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { CATALOGUE, type Database, type Identity, type Service } from "../database/database.ts";
import { badInput, GatewayError } from "../../ground/errors.ts";
import { withRetries, type Remedies } from "../../ground/retry.ts";
import { sendNothing, sendStream, sendText, setHeaders, whileConnected } from "../http/answer.ts";
import { claim, idempotencyKeyOf } from "../http/idempotencyKey.ts";
import { prefixOf, type PathParameters, type Route } from "../http/routes.ts";
import type { Mailer } from "../mail/mailer.ts";
import { readBody, type BodyOptions } from "./body.ts";
import { ROOT, type Answer, type Caller, type Operation, type Resource } from "./resource.ts";

export interface RestOptions extends BodyOptions {
  /** The interface that policies and the audit see. */
  readonly service: Service;
}

/** The part of the kernel that REST needs. */
export interface RestKernel {
  readonly baseUrl: string;
  readonly mail: Mailer | undefined;
  identify(request: IncomingMessage): Promise<Identity>;
  databaseOf(identity: Identity): Database;
  schemasOf(database: string): readonly string[];
}

export const NO_STORE = { "Cache-Control": "no-store" };

export function restRoutes(kernel: RestKernel, resources: readonly Resource[], options: RestOptions): readonly Route[] {
  const prefix = prefixOf(kernel.baseUrl) + ROOT;
  return resources.map(({ path, operations }) => ({
    path: ROOT + path,
    summary: Object.values(operations)[0]?.summary ?? "",
    maxBodyBytes: Object.values(operations).some(({ stream }) => stream)
      ? (options.maxImportBytes ?? options.maxBodyBytes)
      : options.maxBodyBytes,
    handlers: Object.fromEntries(
      Object.entries(operations).map(([method, operation]) => [
        method,
        async (request: IncomingMessage, response: ServerResponse, parameters: PathParameters) => {
          setHeaders(response, NO_STORE);
          const readOnly = operation.reads ?? method === "GET";
          const caller = await callerOf(request, response, kernel, { ...options, readOnly });
          if (caller.identity.readOnly && !readOnly)
            throw new GatewayError("FORBIDDEN", `Seeing as ${caller.identity.name} changes nothing`);
          const { value, isList } = await readBody(request, operation, options);
          const given = { ...parameters, ...readQuery(request, operation) };
          const run = (): Promise<Answer> => operation.run(caller, given, value);
          const answer = await (readOnly && !operation.stream ? withRetries(run, remediesOfRead()) : run());
          await send(response, answer, prefix, (operation.oneForOne ?? false) && !isList);
        },
      ]),
    ),
  }));
}

/** DDL may change or drop what a read has found a moment before; after that it is there as another, or missing. */
function remediesOfRead(): Remedies {
  let isOutdated = false;
  const again = (): boolean => true;
  return { changed: again, plan: again, connection: again, ddl: () => !isOutdated && (isOutdated = true) };
}

async function callerOf(
  request: IncomingMessage,
  response: ServerResponse,
  { baseUrl, mail, databaseOf, identify, schemasOf }: RestKernel,
  { service, readOnly }: Pick<RestOptions, "service"> & { readonly readOnly: boolean },
): Promise<Caller> {
  const identity = await identify(request);
  const database = databaseOf(identity);
  const { address, requestId, point } = request;
  const key = idempotencyKeyOf(request);
  let isClaimed = readOnly || key === undefined;
  return {
    identity,
    database,
    service,
    address,
    requestId,
    signal: whileConnected(response),
    baseUrl,
    mail,
    language: request.headers["accept-language"],
    schemas: schemasOf(database.name),
    async transact(callback, reach = CATALOGUE, how) {
      let keeps = false;
      const result = await database.withIdentity(
        identity,
        {
          service,
          address,
          // a read goes to the primary too, since the data may have been changed a moment ago at any door
          ...(readOnly ? { readOnly } : { point }),
          reach: reach === "anything" ? undefined : reach,
          ...how,
        },
        async (transaction) => {
          if (!isClaimed) await claim(key!, transaction);
          const told = await callback(transaction);
          keeps = !transaction.isRollbackOnly;
          return told;
        },
      );
      isClaimed ||= keeps; // what else the request writes belongs to it
      return result;
    },
  };
}

/** Throws `BAD_USER_INPUT` for a parameter that the operation does not have, one given twice, and a wrong value. */
function readQuery(request: IncomingMessage, { query }: Operation): PathParameters {
  if (!query) return {};
  const { searchParams } = new URL(request.url ?? "", "http://host");
  for (const name of searchParams.keys()) {
    const parameter = query[name];
    if (!parameter) badInput(`There is no parameter ${JSON.stringify(name)}: ${Object.keys(query).join(", ")}`);
    if (searchParams.getAll(name).length > 1) badInput(`${name} is given twice`);
    const parsed = parameter.schema.safeParse(searchParams.get(name));
    if (!parsed.success) badInput(`${name}: ${parsed.error.issues[0]?.message ?? "a wrong value"}`);
  }
  return Object.fromEntries(searchParams);
}

/** `prefix`: the path of `/api/v4` as clients see it. `one`: one object was made, and no list. */
function send(response: ServerResponse, answer: Answer, prefix: string, one: boolean): void | Promise<void> {
  if (answer.status === 204) return sendNothing(response);
  if ("stream" in answer) return sendStream(response, answer.stream, answer.headers);
  if (answer.status === 200) return sendText(response, JSON.stringify(answer.body));
  if ("body" in answer)
    return sendText(response, JSON.stringify(answer.body), {
      status: answer.status,
      headers: { Location: prefix + answer.location },
    });
  const items = answer.items.map(({ path, members }) => ({ _links: { self: prefix + path }, ...members }));
  const { status, location } = answer;
  sendText(response, JSON.stringify(one ? items[0] : items), { status, headers: { Location: prefix + location } });
}
