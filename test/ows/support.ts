/** Requests to the classic services of a gateway, and what answers them. */
import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { picture, type Picture } from "../maps/pixels.ts";

export interface Answer {
  readonly status: number;
  readonly type: string;
  readonly headers: Headers;
  readonly text: string;
}

interface Asked {
  readonly token?: string | undefined;
  readonly headers?: Readonly<Record<string, string>>;
  readonly method?: string;
  readonly body?: string;
}

export type Kvp = Readonly<Record<string, string | number | undefined>>;

/** The query of parameters; undefined ones are left out. */
export function queryOf(kvp: Kvp): string {
  return new URLSearchParams(
    Object.entries(kvp).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  ).toString();
}

async function send(address: string, { token, headers = {}, method = "GET", body }: Asked): Promise<Response> {
  return fetch(address, {
    method,
    redirect: "manual",
    headers: { ...headers, ...(token !== undefined && { authorization: `Bearer ${token}` }) },
    ...(body !== undefined && { body }),
  });
}

export async function ask(address: string, asked: Asked = {}): Promise<Answer> {
  const response = await send(address, asked);
  const { status, headers } = response;
  return { status, headers, type: headers.get("content-type") ?? "", text: await response.text() };
}

/** The picture of a PNG. Asserts that it is one. */
export async function pictureAt(address: string, asked: Asked = {}): Promise<{ bytes: Buffer; picture: Picture }> {
  const response = await send(address, asked);
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.headers.get("content-type"), "image/png", `${address}: ${bytes.toString().slice(0, 500)}`);
  return { bytes, picture: picture(bytes) };
}

/** The code of a service exception; undefined where it has none. Asserts that it is one. */
export function exceptionOf({ text }: Answer): { code: string | undefined; message: string } {
  const found = /<(?:ServiceException|ows:Exception)( [^>]*)?>([^]*)<\//.exec(text);
  assert.ok(found, `no exception: ${text.slice(0, 500)}`);
  return { code: /ode="([^"]*)"/.exec(found[1] ?? "")?.[1], message: found[2]!.replace(/<[^>]*>/g, "").trim() };
}

/** Runs a program; its output and its exit code. GDAL keeps the tiles that it has read in the folder for temporary files. */
export function runProgram(
  program: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ output: string; code: number }> {
  return new Promise((resolve) => {
    execFile(
      program,
      words,
      {
        env: { ...process.env, GDAL_DEFAULT_WMS_CACHE_PATH: join(tmpdir(), "portolan-gdal"), ...env },
        maxBuffer: 64e6,
      },
      (error, stdout, stderr) => resolve({ output: stdout + stderr, code: error ? 1 : 0 }),
    );
  });
}
