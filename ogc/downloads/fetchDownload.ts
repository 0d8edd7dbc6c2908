/**
 * `/downloads/{downloadId}`: a file, whole or in parts, as long as the rights for its content still hold; and its
 * signed address.
 */
import { createHmac, timingSafeEqual } from "node:crypto";
import { GatewayError } from "../../server/ground/errors.ts";
import { sendNothing, sendText, setHeaders, write } from "../../server/kernel/http/answer.ts";
import { accountIdentity, CHALLENGES, identityOf } from "../../server/kernel/identity/identity.ts";
import { findAccount } from "../../server/kernel/identity/tokens.ts";
import type { Database, Identity } from "../../server/kernel/database/database.ts";
import { ofCatalogue } from "../collections/reach.ts";
import type { Exchange } from "../exchange/exchange.ts";
import { FILE_FORMATS } from "../exchange/formats.ts";
import { PART_BYTES } from "./downloads.ts";
import { beginFile } from "./range.ts";

interface Download {
  readonly id: string;
  readonly job: string;
  readonly account: string;
  readonly collection: string;
  readonly relation: number;
  readonly format: string;
  /** What `portolan.reading_rights` told when it was made. */
  readonly rights: Rights | null;
  readonly bytes: string | null;
  readonly etag: string | null;
  readonly secret: Buffer;
  readonly state: string;
  readonly done: string;
  readonly total: string;
  readonly error: string | null;
}

interface Rights {
  readonly rows: { readonly claims?: Readonly<Record<string, unknown>> } | null;
}

const FIND = `
select d.id, d.job, d.account, d.collection, j.relation::oid::int8::float8 as relation, d.format, d.rights, d.bytes, d.etag,
  d.secret, j.state, j.done, j.total, j.error
from portolan.downloads d join portolan.jobs j on j.id = d.job
where d.id = $1 and d.expires > now()`;

/** The lifetime of a signed address, in seconds. */
const ADDRESS_SECONDS = 3600;

const notFound = (id: string): GatewayError =>
  new GatewayError("NOT_FOUND", `There is no download ${JSON.stringify(id.slice(0, 100))}`);

/** Finds the download. Throws `NOT_FOUND` also for a download of another account. */
async function find(exchange: Exchange): Promise<{ readonly download: Download; readonly isSigned: boolean }> {
  const { database, identity, pathParameters, parameters } = exchange;
  const { downloadId: id = "" } = pathParameters;
  const download = /^[0-9a-f]{32}$/.test(id) ? await database.db.oneOrNone<Download>(FIND, [id]) : null;
  const { signature } = parameters;
  if (download && signature !== undefined) {
    if (isSignatureOf(download, signature)) return { download, isSigned: true };
    throw new GatewayError("UNAUTHENTICATED", "The address is not valid, or no longer: request another one", {
      headers: { "WWW-Authenticate": CHALLENGES },
    });
  }
  if (identity.name === "anonymous")
    throw new GatewayError("UNAUTHENTICATED", "A download needs its account: sign in", {
      headers: { "WWW-Authenticate": CHALLENGES },
    });
  if (!download || download.account !== identity.name) throw notFound(id);
  return { download, isSigned: false };
}

function signed({ id, secret }: Download, until: number): string {
  return `${until}.${createHmac("sha256", secret).update(`${id} ${until}`).digest("base64url")}`;
}

function isSignatureOf(download: Download, text: string): boolean {
  const until = Number(/^(\d{1,15})\./.exec(text)?.[1] ?? 0);
  const [own, given] = [Buffer.from(signed(download, until)), Buffer.from(text)];
  return until * 1000 > Date.now() && own.length === given.length && timingSafeEqual(own, given);
}

/** Throws `GONE` unless the file's creator may still read the data in it. */
async function checkRights(exchange: Exchange, download: Download, isSigned: boolean): Promise<void> {
  const { database, context } = exchange;
  const gone = new GatewayError("GONE", "The rights for the data in the file have changed: make it again");
  const maker = isSigned ? await makerOf(database, download) : exchange.identity;
  if (!maker) throw gone;
  const asked = ofCatalogue({ ...context, service: "wfst" as const });
  const holds = await database.withIdentity(maker, asked, async (transaction) => {
    const { rows } = await transaction.query<{ holds: boolean }>({
      name: "ogc download",
      text: "select portolan.rights_hold($1::oid, $2::jsonb) as holds",
      values: [download.relation, JSON.stringify(download.rights)],
    });
    return rows[0]!.holds;
  });
  if (!holds) throw gone;
}

/** The file's creator as it is now, with the claims that it had then, where the rows depend on them. */
async function makerOf(database: Database, { account: name, rights }: Download): Promise<Identity | undefined> {
  const account = await findAccount(database, name);
  const claims = rights?.rows?.claims;
  if (!account || !claims) return account && accountIdentity(database, account);
  return identityOf(database, account, claims, claims["mfa"] === true);
}

/** Answers with the state of a file that is not complete. Throws `GONE` for a file that will not be completed. */
function sendState({ response }: Exchange, { id, job, state, done, total, error }: Download): void {
  if (state !== "running") throw new GatewayError("GONE", `The file was not made: ${error ?? `its job is ${state}`}`);
  sendText(response, JSON.stringify({ id, job: Number(job), state, done: Number(done), total: Number(total) }), {
    status: 202,
    headers: { "Retry-After": "1" },
  });
}

export async function fetchDownload(exchange: Exchange): Promise<void> {
  const { response, database } = exchange;
  const { download, isSigned } = await find(exchange);
  if (download.bytes === null) {
    sendState(exchange, download);
    return;
  }
  await checkRights(exchange, download, isSigned);
  const size = Number(download.bytes);
  const etag = `"${download.etag}"`;
  const { mediaType, extension } = FILE_FORMATS.find(({ name }) => name === download.format)!;
  setHeaders(response, {
    "Content-Type": mediaType,
    "Cache-Control": "private, no-cache",
    "Content-Disposition": `attachment; filename="${download.collection.replaceAll(/[^\w.-]/g, "_")}.${extension}"`,
  });
  const range = beginFile(exchange, size, etag);
  if (!range) return;
  const [from, to] = range;
  for (let part = Math.floor(from / PART_BYTES); part * PART_BYTES < to; part++) {
    const begin = part * PART_BYTES;
    const [first, last] = [Math.max(from - begin, 0), Math.min(to - begin, PART_BYTES)];
    const row = await database.db.oneOrNone<{ content: Buffer }>(
      "select substr(content, $3, $4) as content from portolan.download_parts where download = $1 and part = $2",
      [download.id, part, first + 1, last - first],
    );
    if (row?.content.length !== last - first) throw new GatewayError("GONE", "The file is lost: make it again");
    await write(response, [row.content]);
  }
  response.end();
}

/**
 * `/downloads/{downloadId}/address`: a signed address, for programs without a token. Only for a caller that may have the
 * file itself: the address is good for whoever has it.
 */
export async function addressOfDownload(exchange: Exchange): Promise<void> {
  const { response, addresses } = exchange;
  const { download, isSigned } = await find(exchange);
  if (isSigned) throw notFound(download.id);
  if (download.bytes === null) {
    sendState(exchange, download);
    return;
  }
  await checkRights(exchange, download, false);
  const until = Math.floor(Date.now() / 1000) + ADDRESS_SECONDS;
  const href = addresses.of(["downloads", download.id], { signature: signed(download, until) });
  sendText(response, JSON.stringify({ href, expires: new Date(until * 1000).toISOString() }));
}

/** Removes the file, or stops making it. */
export async function dropDownload(exchange: Exchange): Promise<void> {
  const { response, database, identity, context } = exchange;
  const { download } = await find(exchange);
  await database.withIdentity(identity, { ...context, readOnly: false }, (transaction) =>
    transaction.query({ text: "select portolan.drop_download($1)", values: [download.id] }),
  );
  sendNothing(response);
}

/** `/downloads`: the downloads of the account. */
export async function listDownloads(exchange: Exchange): Promise<void> {
  const { response, database, identity, context, addresses } = exchange;
  const downloads = await database.withIdentity(identity, context, async (transaction) => {
    const { rows } = await transaction.query<{ id: string } & Record<string, unknown>>({
      text: `select id, job::float8 as job, collection, format, state, rows::float8 as rows, bytes::float8 as bytes, expires, error
        from portolan.list_downloads() where account = $1`,
      values: [identity.name],
    });
    return rows;
  });
  const shown = downloads.map((each) => ({ ...each, href: addresses.of(["downloads", each.id]) }));
  sendText(response, JSON.stringify({ downloads: shown }));
}
