/** A request on its way through an endpoint, which is an array of named steps. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { sendText } from "../kernel/http/answer.ts";
import type { Handler, PathParameters } from "../kernel/http/routes.ts";
import type { Database } from "../kernel/database/database.ts";
import type { BrowserSession } from "../kernel/identity/browserSession.ts";
import type { Account } from "../kernel/identity/tokens.ts";
import type { Kernel } from "../kernel.ts";
import type { Client } from "./clients.ts";
import type { Waiting } from "./factors/waiting.ts";
import type { OpenidRequest } from "./openid/claims.ts";

/** Parameters of a request by name, each given once. */
export type Parameters = Readonly<Record<string, string | undefined>>;

/** One request. A step reads what earlier steps found, and adds what it finds itself. */
export interface OAuthContext {
  readonly kernel: Kernel;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** The caller's address. */
  readonly address: string | undefined;
  /** The placeholders of the path. */
  readonly path: PathParameters;
  /** From the body at the endpoints for programs, from the query at those for browsers. Set by readBody, readQuery. */
  parameters: Parameters;
  /** The form that a person sent from one of our pages; empty for a GET. Set by readForm. */
  form: Parameters;
  /** Set by chooseDatabase. */
  database: Database;
  /** Set by authenticateClient, findClient. */
  client: Client;
  /** Set by checkRedirectUri: from then on errors go there. */
  redirectUri?: string;
  /** The issuer that the answer names. Default: the address of the service. Set by readIssuer. */
  issuer?: string;
  /** The thumbprint of the key that the tokens will be bound to. Set by readProof. */
  jkt?: string;
  /** The hash of the pushed request from which the parameters come (RFC 9126). Set by takePushedRequest. */
  pushed?: string;
  /** The path of our page to which the person returns. Set by checkReturn. */
  returnTo?: string;
  /** The requested scope, checked. Set by checkScope. */
  scopes: readonly string[];
  /** The resource that the tokens are for (RFC 8707). Default: the service. Set by checkResource. */
  resource?: string | undefined;
  /** The account that is signed in in this browser, if one is. Put by findSession. */
  account?: Account | undefined;
  /** The session of that account. Set with it. */
  session?: BrowserSession | undefined;
  /** Whether the account has signed in with this very request. */
  isFresh?: boolean;
  /** The pending sign-in of a person who has come back from another provider. Set by readPending. */
  pending?: Waiting;
  /** The account that has just signed in does not belong to the person of the provider. Set by linkPending. */
  isNotLinked?: boolean;
  /** The OpenID Connect part of the request, where its scope has `openid`. Set by readOpenid. */
  openid?: OpenidRequest | undefined;
  /** The message of the next page about the form that was sent. */
  notice?: Notice;
}

/** Why a form comes back: the HTTP status, and the text beside the field (or above the form, without one). */
export interface Notice {
  readonly status: number;
  readonly field?: string;
  readonly text: string;
}

/** One step: throws to end the request with an error, answers to end it, or lets it go on. */
export type Step = (context: OAuthContext) => void | Promise<void>;

/** Answers an error that a step threw. */
export type ErrorRenderer = (context: OAuthContext, error: unknown) => void | Promise<void>;

/** A request that no step has seen yet. */
export function newContext(
  kernel: Kernel,
  request: IncomingMessage,
  response: ServerResponse,
  path: PathParameters = {},
): OAuthContext {
  return {
    kernel,
    request,
    response,
    address: request.address,
    path,
    parameters: {},
    form: {},
    scopes: [],
  } as unknown as OAuthContext; // the steps that every endpoint must have set database and client
}

/** Runs the steps in their order until one has answered. */
export function endpoint(kernel: Kernel, steps: readonly Step[], renderError: ErrorRenderer): Handler {
  return async (request, response, path) => {
    const context = newContext(kernel, request, response, path);
    try {
      for (const step of steps) {
        await step(context);
        if (response.headersSent || response.destroyed) return;
      }
    } catch (error) {
      await renderError(context, error);
    }
  };
}

/** The last step of an endpoint for machines: answers with compact JSON that is not cached (RFC 6749 §5.1). */
export function sendJson(response: ServerResponse, status: number, body: object): void {
  sendText(response, JSON.stringify(body), { status, headers: { "Cache-Control": "no-store", Pragma: "no-cache" } });
}
