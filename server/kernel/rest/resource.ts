/**
 * Resources, the building blocks of REST: each a path with its operations. Routes and OpenAPI are made from the same table.
 */
import { z } from "zod";
import type { Headers, Stream } from "../http/answer.ts";
import type { BodyStream } from "../http/body.ts";
import type { Mailer } from "../mail/mailer.ts";
import type { Database, Identity, Reached, RequestContext, Service, Transaction } from "../database/database.ts";

/** The prefix of all paths of resources. */
export const ROOT = "/api/v4";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The caller, and its way into the database. */
export interface Caller {
  readonly identity: Identity;
  readonly database: Database;
  /** The interface that policies, rules and the audit see. */
  readonly service: Service;
  /** The caller's address. */
  readonly address: string | undefined;
  readonly requestId: string | undefined;
  /** Fires when the caller is gone. */
  readonly signal: AbortSignal;
  /** Address of the service as clients see it, without a slash at the end. */
  readonly baseUrl: string;
  /** Undefined where no mail is sent. */
  readonly mail: Mailer | undefined;
  /** `Accept-Language` of the request. */
  readonly language: string | undefined;
  /** The schemas that the caller's database exposes. */
  readonly schemas: readonly string[];
  /**
   * Runs `callback` in one transaction as the account's role: all or nothing. `reach`: the relations of users that its
   * statements read or write. Default: none, as of functions that change what Portolan itself keeps. `how.signal`: when it
   * fires, the statement that is running is cancelled.
   */
  transact<T>(
    callback: (transaction: Transaction) => Promise<T>,
    reach?: readonly Reached[] | "anything",
    how?: Pick<RequestContext, "signal" | "isPatient">,
  ): Promise<T>;
}

/** One thing that was made or changed: its path below `/api/v4`, and the members beside `_links`. */
export interface Linked {
  readonly path: string;
  readonly members?: Readonly<Record<string, unknown>>;
}

export type Answer =
  | { readonly status: 200; readonly body: unknown }
  /** A document that is sent while it is made. */
  | { readonly status: 200; readonly stream: Stream; readonly headers?: Headers }
  /** `location`: below `/api/v4`, of all of them. */
  | { readonly status: 201 | 303; readonly location: string; readonly items: readonly Linked[] }
  /** A new thing, or work that continues after the answer. `location`: of the thing or the job, below `/api/v4`. */
  | { readonly status: 201 | 202; readonly location: string; readonly body: unknown }
  | { readonly status: 204 };

/** The values of the parameters in the path and after it, percent-decoded. */
export type Parameters = Readonly<Record<string, string>>;

export interface QueryParameter {
  readonly description: string;
  /** The schema of the parameter's text. */
  readonly schema: z.ZodType<string>;
}

/** The schema of a query parameter that is `true` or `false`. */
export const flag = z.enum(["true", "false"]);

export interface Operation {
  readonly id: string;
  readonly summary: string;
  readonly description?: string;
  readonly status: Exclude<Answer["status"], 202>;
  /** Whether it may become a job, and then answers 202. */
  readonly mayBeJob?: boolean;
  /** Whether `dry=true` only shows the effect, with 200. `shown` is then the whole body of both answers. */
  readonly mayBeDry?: boolean;
  /** The schema of each object in the body. */
  readonly body?: z.ZodType;
  /** Whether the body may be an array of such objects; `run` then always gets an array. */
  readonly several?: boolean;
  /** Whether it only reads, whatever its method. Default: GET does. */
  readonly reads?: boolean;
  /** Whether that array may be empty. */
  readonly mayBeEmpty?: boolean;
  /** Whether a single object in the body is answered by one object, and not by a list. */
  readonly oneForOne?: boolean;
  /** Media types of a body that `run` reads while it comes, as a `BodyStream`, up to `maxImportBytes`; in place of `body`. */
  readonly stream?: readonly string[];
  /** Optional query parameters; `run` gets them beside those of the path. */
  readonly query?: Readonly<Record<string, QueryParameter>>;
  /** Media types of a 200 that is streamed, in place of `shown`. */
  readonly documents?: readonly string[];
  /** Whether a 201 has one thing as its body, `shown`, in place of a list with `_links`. */
  readonly makesOne?: boolean;
  /** The schema of the body of a 200. For 201: that of the members beside `_links`, if any. */
  readonly shown?: z.ZodType;
  run(caller: Caller, parameters: Parameters, body: unknown): Promise<Answer>;
}

export interface Resource {
  /** Below `/api/v4`, e.g. `/users/{names}`. */
  readonly path: string;
  readonly tag: string;
  /** A sentence for each parameter of the path. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly operations: Readonly<Partial<Record<Method, Operation>>>;
}

/** An operation whose `run` gets a body of the type that its schema checks. */
export function taking<Body>(
  body: z.ZodType<Body>,
  rest: Omit<Operation, "body" | "several" | "run"> & {
    run(caller: Caller, parameters: Parameters, body: Body): Promise<Answer>;
  },
): Operation {
  return { ...rest, body, run: (caller, parameters, value) => rest.run(caller, parameters, value as Body) };
}

/** An operation that reads its body while it comes. */
export function streaming(
  mediaTypes: readonly string[],
  rest: Omit<Operation, "body" | "several" | "stream" | "run"> & {
    run(caller: Caller, parameters: Parameters, body: BodyStream): Promise<Answer>;
  },
): Operation {
  return {
    ...rest,
    stream: mediaTypes,
    run: (caller, parameters, value) => rest.run(caller, parameters, value as BodyStream),
  };
}

/** The same for one object or an array of them. */
export function takingSeveral<Body>(
  body: z.ZodType<Body>,
  rest: Omit<Operation, "body" | "several" | "run"> & {
    run(caller: Caller, parameters: Parameters, bodies: readonly Body[]): Promise<Answer>;
  },
): Operation {
  return {
    ...rest,
    body,
    several: true,
    run: (caller, parameters, value) => rest.run(caller, parameters, value as readonly Body[]),
  };
}
