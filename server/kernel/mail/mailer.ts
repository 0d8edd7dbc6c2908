/** Mails to accounts: texts by kind and language from templates, sent in the background by SMTP (RFC 5321). */
import { randomInt } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import Negotiator from "negotiator";
import type { Finding } from "../../ground/finding.ts";
import type { Log } from "../../ground/log.ts";
import { besideCode } from "../../ground/packageDirectory.ts";
import type { Config } from "../config.ts";

export const MAIL_KINDS = [
  "forgotten",
  "invitation",
  "verification",
  "newPlace",
  "newAddress",
  "signUp",
  "hasAccount",
  "taken",
] as const;
export type MailKind = (typeof MAIL_KINDS)[number];

const MIN_DELAY_MS = 20;
const MAX_DELAY_MS = 80;

/** The first is for readers of other languages. */
const LANGUAGES = ["en", "de"];
const BUILT_IN = besideCode("server/kernel/mail/templates");
const TIMEOUT_MS = 10_000;
const MAX_VALUE = 300;

export type MailConfig = Pick<Config, "smtpUrl" | "mailFrom" | "mailTemplates">;

export interface Mail {
  readonly kind: MailKind;
  /** The address. One with a line break or a list of addresses is refused. */
  readonly to: string;
  /** As `Accept-Language`; English without one. */
  readonly language: string | undefined;
  /** The values of the template's placeholders, which stand between braces. */
  readonly values: Readonly<Record<string, string>>;
}

/** A transport of nodemailer, as much of it as is used here. */
interface Transport {
  sendMail(mail: {
    from: string;
    to: { name: string; address: string };
    subject: string;
    text: string;
    headers: Readonly<Record<string, string>>;
  }): Promise<unknown>;
  verify(): Promise<unknown>;
  close(): void;
}

export class Mailer {
  readonly #config: MailConfig;
  readonly #log: Log;
  readonly #pending = new Set<Promise<void>>();
  #transport: Promise<Transport> | undefined;
  /** Mails by kind and outcome since the start, e.g. `forgotten sent`. */
  readonly counts = new Map<string, number>();

  constructor(config: MailConfig, log: Log) {
    this.#config = config;
    this.#log = log;
  }

  /**
   * Sends a mail in the background, so that the time of an answer does not tell whether there was one. A failure is logged and
   * counted; the person asks again.
   */
  send(mail: Mail): void {
    this.later(() => this.#send(mail));
  }

  /**
   * Runs work that may send mails, in the background and at a random time after the answer, so that the time of an
   * answer reveals nothing. Failures are logged.
   */
  later(work: () => Promise<void>): void {
    const sending = this.#whenAnswered(work).catch((error: unknown) => this.#log.error({ err: error }, "mail"));
    this.#pending.add(sending);
    void sending.finally(() => this.#pending.delete(sending));
  }

  async #whenAnswered(work: () => Promise<void>): Promise<void> {
    await setTimeout(randomInt(MIN_DELAY_MS, MAX_DELAY_MS));
    await work();
  }

  /** Waits for the mails that are being sent; the timeouts of SMTP limit this. */
  async close(): Promise<void> {
    while (this.#pending.size > 0) await Promise.all(this.#pending);
    (await this.#transport)?.close();
  }

  async #send({ kind, to, language, values }: Mail): Promise<void> {
    const count = (outcome: string): void => {
      const key = `${kind} ${outcome}`;
      this.counts.set(key, (this.counts.get(key) ?? 0) + 1);
    };
    try {
      const { subject, text } = fill(await this.#template(kind, language), values);
      if (this.#config.smtpUrl === "log:") this.#log.info({ mail: kind, to, subject, text }, "mail");
      else {
        this.#transport ??= openTransport(this.#config);
        const transport = await this.#transport;
        await transport.sendMail({
          from: this.#config.mailFrom ?? "",
          to: { name: "", address: to },
          subject,
          text,
          headers: { "Auto-Submitted": "auto-generated" }, // RFC 3834 §5
        });
      }
      count("sent");
    } catch (error) {
      count("failed");
      this.#log.error({ mail: kind, err: error }, "a mail could not be sent");
    }
  }

  async #template(kind: MailKind, language: string | undefined): Promise<string> {
    const negotiator = new Negotiator({ headers: { "accept-language": language } });
    const chosen = negotiator.language(LANGUAGES) ?? LANGUAGES[0]!;
    const own = this.#config.mailTemplates;
    if (own !== undefined)
      try {
        return await readFile(join(own, chosen, `${kind}.txt`), "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    return readFile(join(BUILT_IN, chosen, `${kind}.txt`), "utf8");
  }
}

/** The language of an account, the member `locale` of its properties, if mails have it; else that of the request. */
export function languageFor(locale: unknown, request: string | undefined): string | undefined {
  const own = typeof locale === "string" ? locale.split("-")[0]!.toLowerCase() : "";
  return LANGUAGES.includes(own) ? own : request;
}

/** An instant as mails say it, to the minute. */
export function inMail(instant: Date): string {
  return `${instant.toISOString().slice(0, 16).replace("T", " ")} UTC`;
}

/** For `doctor`: whether mail can be sent. */
export async function mailFindings(config: MailConfig): Promise<Finding[]> {
  const page = "access.md#mail";
  const { smtpUrl } = config;
  if (smtpUrl === undefined)
    return [
      {
        ok: true,
        text: "no mail is sent (SMTP_URL): forgotten passwords need a link of a super user",
        remedy: [],
        page,
      },
    ];
  if (smtpUrl === "log:") return [{ ok: true, text: "mails are written into the log", remedy: [], page }];
  const { host } = new URL(smtpUrl);
  const transport = await openTransport(config);
  try {
    await transport.verify();
    return [{ ok: true, text: `the mail server ${host} takes mail`, remedy: [], page }];
  } catch (error) {
    const text = `the mail server ${host} takes no mail: ${(error as Error).message}`;
    return [{ ok: false, severity: "warning", text, remedy: ["look at SMTP_URL"], page }];
  } finally {
    transport.close();
  }
}

/** The package is loaded when the first mail is sent. */
async function openTransport({ smtpUrl }: MailConfig): Promise<Transport> {
  const { createTransport } = await import("nodemailer");
  const { protocol, hostname, port, username, password } = new URL(smtpUrl ?? "");
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ""),
    secure: protocol === "smtps:",
    ...(port !== "" && { port: Number(port) }),
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    pool: true,
    maxConnections: 2,
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** A value is one short line, whatever an account has written there. */
function fill(template: string, values: Mail["values"]): { subject: string; text: string } {
  const whole = template.replace(/\{(\w+)\}/g, (found, name: string) => {
    const value = values[name];
    return value === undefined ? found : oneLine(value);
  });
  const [, subject = "", text = ""] = /^Subject:([^\n]*)\n([\s\S]*)$/.exec(whole.replaceAll("\r\n", "\n")) ?? [];
  if (subject.trim() === "") throw new Error("the template does not begin with a line 'Subject: …'");
  return { subject: subject.trim(), text: text.trimStart() };
}

function oneLine(value: string): string {
  return value.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").slice(0, MAX_VALUE);
}
