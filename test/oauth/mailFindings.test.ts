/** What `doctor` says of the mail server. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import type { Finding } from "../../server/ground/finding.ts";
import { makeConfig } from "../../server/kernel/config.ts";
import { mailFindings } from "../../server/kernel/mail/mailer.ts";
import { brokenLink } from "../docs/documents.ts";
import { makeCertificate } from "../support/certificate.ts";

const MAIL_FROM = "no-reply@example.org";

describe("doctor about mail", () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), "portolan-smtp-"));
    makeCertificate(folder, { altNames: "DNS:mail.example.org" });
  });
  after(() => rmSync(folder, { recursive: true }));

  async function findingOf(smtpUrl: string): Promise<Finding> {
    const [finding, ...others] = await mailFindings({ smtpUrl, mailFrom: MAIL_FROM, mailTemplates: undefined });
    assert.deepEqual(others, []);
    const [path, anchor] = (finding?.page ?? "").split("#");
    assert.equal(brokenLink({ line: 0, path: `docs/guides/${path}`, anchor }), undefined);
    return finding!;
  }

  async function withServer(
    options: ConstructorParameters<typeof SMTPServer>[0],
    work: (port: number) => Promise<void>,
  ): Promise<void> {
    const server = new SMTPServer({ logger: false, ...options });
    server.on("error", () => undefined); // a client that hangs up
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    try {
      await work((server.server.address() as AddressInfo).port);
    } finally {
      await new Promise<void>((resolve) => server.close(resolve));
    }
  }

  /** Asserts a warning that names the server, says `why`, and has a remedy, but not the password. */
  function assertWarning({ ok, severity, text, remedy }: Finding, port: number, why: RegExp): void {
    assert.deepEqual([ok, severity], [false, "warning"], text);
    assert.ok(text.startsWith(`the mail server 127.0.0.1:${port} takes no mail: `), text);
    assert.match(text, why);
    assert.match(remedy.join(), /SMTP_URL/);
    assert.doesNotMatch(text + remedy.join(), /hush/);
  }

  it("a server that takes mail", () =>
    withServer({ authOptional: true, disabledCommands: ["STARTTLS"] }, async (port) => {
      const { ok, text } = await findingOf(`smtp://127.0.0.1:${port}`);
      assert.deepEqual([ok, text], [true, `the mail server 127.0.0.1:${port} takes mail`]);
    }));

  it("a server that cannot be reached", async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    const { port } = server.address() as AddressInfo;
    await new Promise((resolve) => server.close(resolve));
    assertWarning(await findingOf(`smtp://ann:hush@127.0.0.1:${port}`), port, /ECONNREFUSED/);
  });

  it("a certificate that nobody trusts, from the start and after STARTTLS", async () => {
    const tls = { key: readFileSync(join(folder, "key.pem")), cert: readFileSync(join(folder, "cert.pem")) };
    await withServer({ ...tls, secure: true, authOptional: true }, async (port) => {
      assertWarning(await findingOf(`smtps://ann:hush@127.0.0.1:${port}`), port, /certificate/);
    });
    await withServer({ ...tls, authOptional: true }, async (port) => {
      assertWarning(await findingOf(`smtp://127.0.0.1:${port}`), port, /certificate/);
    });
  });

  it("a server that refuses the password", () =>
    withServer(
      {
        disabledCommands: ["STARTTLS"],
        allowInsecureAuth: true,
        onAuth: (_auth, _session, done) => done(new Error("who are you?")),
      },
      async (port) => {
        assertWarning(await findingOf(`smtp://ann:hush@127.0.0.1:${port}`), port, /who are you/);
      },
    ));

  it("no sender is refused at the start, by its name", () => {
    assert.throws(() => makeConfig({ smtpUrl: "smtp://mail.example.org" }), /mailFrom|MAIL_FROM/);
  });
});
