/** Requests to the methods door as one account after another. */
import assert from "node:assert/strict";
import type { Response } from "supertest";
import type { TestGateway } from "../support/gateway.ts";

export interface As {
  /** Makes methods; asserts 201. */
  define(...methods: object[]): Promise<void>;
  /** Any request below `/api/v4`. */
  request(method: "get" | "post" | "patch" | "delete", path: string, body?: unknown): Promise<Response>;
  /** The body of the answer to a JSON-RPC message; undefined for 204. */
  rpc(message: unknown): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  /** `result` of a call; asserts that there is one. */
  call(method: string, params?: unknown): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  /** `error` of a call; asserts that there is one. */
  fail(method: string, params?: unknown): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  dry(method: string, params?: unknown): Promise<any>; // oxlint-disable-line typescript/no-explicit-any
  interfaces(): Promise<string>;
}

export async function as(gateway: TestGateway, account: string): Promise<As> {
  const token = await gateway.token(account);
  const request: As["request"] = async (method, path, body) => {
    const sent = gateway.http[method](`/api/v4${path}`).set("Authorization", `Bearer ${token}`);
    if (body === undefined) return sent;
    return typeof body === "string"
      ? sent.set("Content-Type", "application/json").send(body)
      : sent.send(body as object);
  };
  const rpc: As["rpc"] = async (message) => {
    const { status, body, text } = await request("post", "/call", message);
    if (status === 204) return undefined;
    assert.equal(status, 200, text);
    return body;
  };
  const message = (method: string, params: unknown): object => ({
    jsonrpc: "2.0",
    method,
    ...(params === undefined ? {} : { params }),
    id: 1,
  });
  return {
    request,
    rpc,
    async define(...methods) {
      for (const method of methods) {
        const { status, text } = await request("post", "/methods", method);
        assert.equal(status, 201, text);
      }
    },
    async call(method, params) {
      const answer = await rpc(message(method, params));
      assert.ok(answer.result, `${method}: ${JSON.stringify(answer)}`);
      return answer.result;
    },
    async fail(method, params) {
      const answer = await rpc(message(method, params));
      assert.ok(answer.error, `${method}: ${JSON.stringify(answer).slice(0, 500)}`);
      return answer.error;
    },
    async dry(method, params) {
      const { body } = await request("post", "/call/dry", message(method, params));
      assert.ok(body.result, `${method}: ${JSON.stringify(body)}`);
      return body.result;
    },
    async interfaces() {
      const { status, text } = await request("get", "/interfaces");
      assert.equal(status, 200, text);
      return text;
    },
  };
}
