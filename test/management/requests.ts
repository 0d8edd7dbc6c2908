/** Requests to the REST door as one account after another. */
import assert from "node:assert/strict";
import type { Response, Test } from "supertest";
import type { TestGateway } from "../support/gateway.ts";

type Method = "get" | "head" | "post" | "patch" | "delete" | "put";

export type Requests = (method: Method, path: string, body?: unknown) => Test;

/** Requests below `/api/v4` with the token of an account. */
export async function requestsAs(gateway: TestGateway, account: string): Promise<Requests> {
  const token = await gateway.token(account);
  return (method, path, body) => {
    const request = gateway.http[method](`/api/v4${path}`).set("Authorization", `Bearer ${token}`);
    return body === undefined ? request : request.send(body as object);
  };
}

/** Asserts a problem body of that status; gives its text. */
export function problemOf({ status, body, headers }: Response, expected: number): string {
  assert.equal(status, expected, JSON.stringify(body));
  assert.equal(headers["content-type"], "application/problem+json; charset=utf-8");
  assert.equal(headers["cache-control"], "no-store");
  assert.equal(body.status, expected);
  assert.equal(body.message, body.detail);
  return body.detail as string;
}

export const INJECTIONS = [
  "'; drop table portolan.users; --",
  '"; drop role captain; --',
  "$$; select 1; $$",
  "<script>alert(1)</script>",
  "../../etc/passwd",
  "%s %I %L {{name}} ${name}",
  "a\u0000b",
  "a\r\nX-Injected: yes",
  "\u202e\u{1f5fa} e\u0301",
  "\\x00' or 1=1",
];
