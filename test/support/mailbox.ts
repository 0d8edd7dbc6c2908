/** A small SMTP server for the tests of mail. */
import type { AddressInfo } from "node:net";
import { simpleParser, type ParsedMail } from "mailparser";
import { SMTPServer } from "smtp-server";
import { until } from "./until.ts";

/** A mail server that keeps what it is sent. */
export class Mailbox {
  readonly mails: ParsedMail[] = [];
  readonly #server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onData: (stream, _session, done) => {
      simpleParser(stream).then(
        (mail) => {
          this.mails.push(mail);
          done();
        },
        (error: Error) => done(error),
      );
    },
  });

  async open(): Promise<string> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
    return `smtp://127.0.0.1:${(this.#server.server.address() as AddressInfo).port}`;
  }

  close(): Promise<void> {
    return new Promise((resolve) => this.#server.close(resolve));
  }

  /** The next mail to an address; it is taken out. */
  async next(to: string): Promise<ParsedMail> {
    let found = -1;
    await until(() => {
      found = this.mails.findIndex((mail) => [mail.to ?? []].flat()[0]?.text === to);
      return Promise.resolve(found >= 0);
    });
    return this.mails.splice(found, 1)[0]!;
  }
}
