/**
 * The table that QGIS edits, with a serial key, under a `limit` rule and a workflow; and a recorder of the requests to
 * a gateway.
 */
import { createServer, request as send, type IncomingHttpHeaders } from "node:http";
import type { AddressInfo } from "node:net";
import type { TestDatabase } from "../support/databases.ts";

/** The account that edits, by name and password as QGIS sends them. */
export const EDITOR = { name: "surveyor", password: "north by north west" };
export const COLLECTION = "geo.surveys";

export async function createSurveys({ client, name }: TestDatabase): Promise<void> {
  await client.query(`
create table geo.surveys (
  id serial primary key,
  name text not null,
  size int,
  noted timestamptz not null default now(),
  geom geometry(MultiPolygon, 4326) not null);
insert into geo.surveys (name, size, geom) values
  ('seen', 1, 'srid=4326;multipolygon(((0 0, 1 0, 1 1, 0 0)))'),
  ('beyond the limit', 1000, 'srid=4326;multipolygon(((5 5, 6 5, 6 6, 5 5)))');
select portolan.create_user('${EDITOR.name}', '${EDITOR.password}');
grant usage on schema geo to "${EDITOR.name}@${name}";
grant select, insert, update, delete on geo.surveys to "${EDITOR.name}@${name}";
grant usage on sequence geo.surveys_id_seq to "${EDITOR.name}@${name}";
select portolan.enable_workflow('geo.surveys');
select portolan.set_workflow_role('geo.surveys', '${EDITOR.name}', 'publisher');
select portolan.create_rule(
  '{"username": "${EDITOR.name}", "schema": "geo", "table": "surveys", "access": "limit", "filter": "size < 100"}')`);
}

export interface Recorded {
  readonly method: string;
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
  readonly status: number;
}

/** A proxy that passes everything on, once it knows the target (an address without path), and records the requests. */
export async function recordRequests() {
  const requests: Recorded[] = [];
  let target = "";
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { method = "", url = "", headers } = request;
      const body = Buffer.concat(chunks);
      const plain = { ...headers, "accept-encoding": "identity" };
      const passed = send(target + url, { method, headers: plain }, (answer) => {
        const status = answer.statusCode ?? 0;
        requests.push({ method, path: url, headers, body: body.toString(), status });
        const parts: Buffer[] = [];
        answer.on("data", (part: Buffer) => parts.push(part));
        answer.on("end", () => {
          // its own links have the recorder's address
          const toOwn = (text: string): string => text.replaceAll(target, `http://${headers.host}`);
          response.statusCode = status;
          const names = answer.rawHeaders.filter((_, index) => index % 2 === 0); // QGIS recognises only the usual spelling
          for (const name of names.filter((each) => !/^(content-length|transfer-encoding)$/i.test(each)))
            response.setHeader(name, toOwn(String(answer.headers[name.toLowerCase()])));
          response.end(toOwn(Buffer.concat(parts).toString()));
        });
      });
      passed.end(body);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    passTo: (address: string) => void (target = address),
    close: () => new Promise<unknown>((resolve) => server.close(resolve)),
  };
}
