import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { command, commandBeside } from "../support/commands.ts";
import { testDatabase, type TestDatabase } from "../support/databases.ts";
import { Mailbox } from "../support/mailbox.ts";

describe("the command line of OAuth", () => {
  let database: TestDatabase;
  before(async () => (database = await testDatabase({ kind: "demo" })));
  after(() => database.drop());

  function portolan(...args: string[]) {
    const { status, stdout, stderr } = command(args, {
      env: {
        DATABASE_URL: database.gatewayUrl,
        OWNER_DATABASE_URL: database.url,
        BASE_URL: "https://maps.example.org",
      },
    });
    return { status, stdout, stderr };
  }

  it("client add prints the secret once; list, secret and remove", () => {
    const added = portolan(
      "client",
      "add",
      "web",
      "--redirect-uri",
      "https://a.example/cb",
      "https://b.example/cb",
      "--name",
      "Web",
    );
    assert.match(added.stdout, /^secret: [0-9a-f]{64}\n$/, added.stderr);
    assert.equal(
      portolan("client", "add", "spa", "--public", "--no-confirm", "--refresh-reuse").stdout,
      "spa is public and has no secret\nwithout --redirect-uri it may use refresh_token, device_code, but not authorization_code\n",
    );
    const { stdout } = portolan("client", "list");
    assert.match(
      stdout,
      /^id +name +public +confirm +disabled +origin +refresh_reuse +grants +redirect_uri +account\n/,
    );
    assert.match(
      stdout,
      /\nweb +Web +false +true +false +administrator +refuse +authorization_code refresh_token device_code +https:\/\/a\.example\/cb https:\/\/b\.example\/cb\n/,
    );
    assert.match(stdout, /\nspa +spa +true +false +false +administrator +allow /);
    assert.match(stdout, /\ngc2-cli .* true +false +false +administrator +allow /);
    assert.doesNotMatch(stdout, /[0-9a-f]{64}/);
    const renewed = portolan("client", "secret", "web").stdout;
    assert.match(renewed, /^secret: [0-9a-f]{64}\n$/);
    assert.notEqual(renewed, added.stdout);
    assert.equal(portolan("client", "remove", "web").stdout, "web is removed\n");
    assert.deepEqual(portolan("client", "remove", "web"), {
      status: 1,
      stdout: "",
      stderr: 'portolan: there is no client "web"\n',
    });
    assert.equal(
      portolan("client", "add", "x", "--grants", "authorization_code").stderr,
      "portolan: --redirect-uri: the grant authorization_code needs one\n",
    );
    assert.match(
      portolan("client", "add", "x", "--redirect-uri", "http://evil.example").stderr,
      /^portolan: the redirect URI .* must be https/,
    );
  });

  it("client add, as in the guide, makes the client of existing tools", async () => {
    const client = async (): Promise<unknown> =>
      (
        await database.client.query(
          "select public, confirm, redirect_uri, grants, refresh_reuse from portolan.clients where id = 'gc2-cli'",
        )
      ).rows;
    const before = await client();
    assert.equal(portolan("client", "remove", "gc2-cli").status, 0);
    const guide = readFileSync(join(import.meta.dirname, "../../docs/compatibility.md"), "utf8");
    const [, command = ""] = /^npx portolan (client add gc2-cli [^`]*)/m.exec(guide) ?? [];
    const { status, stderr } = portolan(...command.replaceAll("\\\n", " ").trim().split(/\s+/));
    assert.equal(status, 0, stderr);
    assert.deepEqual(await client(), before);
  });

  it("user show tells what an account is, and how it signs in", async () => {
    await database.client.query(`
select portolan.create_user('fleet', null, null), portolan.create_user('crew', null, null, 'fleet'),
  portolan.create_user('show', null, 'show@example.org', 'crew', '{"locale": "de"}');
insert into portolan.factors (user_name, kind, name, secret, last_step) values ('show', 'totp', 'phone', 'x', 0);
insert into portolan.identities (user_name, provider, issuer, subject) values ('show', 'company', 'https://login.example.org', '7');
select portolan.note_sign_in('show', null, 'page');`);
    const { stdout, stderr } = portolan("user", "show", "SHOW", "--json");
    const { last_sign_in, ...shown } = JSON.parse(stdout || stderr);
    assert.ok(Date.now() - Date.parse(last_sign_in) < 600_000);
    assert.deepEqual(shown, {
      name: "show",
      role: `show@${database.name}`,
      superuser: false,
      groups: ["crew", "fleet"],
      members: [],
      email: "show@example.org",
      email_verified: false,
      default_user: false,
      has_password: false,
      two_factor: false,
      factors: ['totp "phone"'],
      recovery_codes: 0,
      identities: ["company 7"],
      sessions: 0,
      acts_for_clients: [],
      properties: { locale: "de" },
      locked_until: null,
    });
    const crew = portolan("user", "show", "crew").stdout;
    assert.match(crew, /^name +crew\nrole +crew@\w+\nsuperuser +false\ngroups +fleet\nmembers +show\nemail\n/);
    assert.equal(portolan("user", "show", "nobody").stderr, 'portolan: there is no account "nobody"\n');
  });

  it("user invite prints a link that is valid once", async () => {
    const { stdout, stderr } = portolan("user", "invite", "guest", "--days", "1");
    assert.match(stdout, /^https:\/\/maps\.example\.org\/password\?database=\w+&token=[0-9a-f]{64}\n$/, stderr);
    const { rows } = await database.client.query("select user_name from portolan.one_time_links");
    assert.deepEqual(rows, [{ user_name: "guest" }]);
    assert.equal(portolan("user", "invite", "nobody").stderr, 'portolan: there is no account "nobody"\n');
    assert.match(portolan("user", "invite", "guest", "--days", "400").stderr, /--days: must be a number from 1 to 31/);
  });

  describe("where mail is set up", () => {
    const mailbox = new Mailbox();
    let smtpUrl: string;
    before(async () => {
      smtpUrl = await mailbox.open();
      await database.client.query("select portolan.create_user('mia', null, 'Mia@example.org')");
    });
    after(() => mailbox.close());
    const portolanBeside = (...args: string[]) =>
      commandBeside(args, {
        env: {
          DATABASE_URL: database.gatewayUrl,
          OWNER_DATABASE_URL: database.url,
          BASE_URL: "https://maps.example.org",
          SMTP_URL: smtpUrl,
          MAIL_FROM: "Portolan <no-reply@example.org>",
        },
      });
    const LINK = /https:\/\/maps\.example\.org\/password\?database=\w+&token=[0-9a-f]{64}/;

    it("user invite sends the link to the account's address, and prints it where that is asked, or there is none", async () => {
      const sent = await portolanBeside("user", "invite", "MIA", "--days", "2");
      assert.deepEqual([sent.status, sent.stdout, sent.stderr], [0, "mia is sent a link to Mia@example.org\n", ""]);
      const mail = await mailbox.next("Mia@example.org");
      assert.match(mail.text ?? "", LINK);
      const printed = await portolanBeside("user", "invite", "mia", "--print");
      assert.match(printed.stdout, new RegExp(`^${LINK.source}\n$`));
      assert.match((await portolanBeside("user", "invite", "guest")).stdout, LINK);
      assert.deepEqual(mailbox.mails, []);
    });

    it("user invite and user verify fail where the mail cannot be sent", async () => {
      smtpUrl = "smtp://127.0.0.1:9";
      for (const action of ["invite", "verify"]) {
        const { status, stdout, stderr } = await portolanBeside("user", action, "mia");
        assert.deepEqual([status, stdout], [1, ""]);
        assert.match(stderr, /portolan: the mail could not be sent\n$/);
      }
    });
  });

  it("keys rotate publishes a new key and keeps the old one", async () => {
    assert.match(
      portolan("keys", "rotate").stdout,
      /^[\w-]{43} \(ES256\) signs in 5 seconds\n[\w-]{43} \(RS256\) signs in 5 seconds\n$/,
    );
    const { rows } = await database.client.query(
      "select retired_at is null as current from portolan.signing_keys where alg = 'RS256' order by created_at",
    );
    assert.deepEqual(rows, [{ current: false }, { current: true }]);
    const listed = portolan("keys", "list", "--json");
    const [current, old] = (JSON.parse(listed.stdout) as Record<string, string | null>[]).filter(
      ({ alg }) => alg === "ES256",
    );
    assert.deepEqual(Object.keys(current!), ["kid", "alg", "signs_from", "retired_at"]);
    assert.deepEqual([current?.["alg"], current?.["retired_at"], old?.["retired_at"]], ["ES256", null, current?.["signs_from"]]); // oxfmt-ignore
    assert.match(portolan("keys", "list").stdout, /^kid +alg +signs_from +retired_at\n[\w-]{43} +(ES|RS)256 /);
    assert.doesNotMatch(listed.stdout + portolan("keys", "list").stdout, /private|"d"/);
    assert.match(portolan("keys", "list", "one").stderr, /^error: too many arguments/);
    assert.match(
      portolan("keys", "rotate", "--at-once").stdout,
      /^[\w-]{43} \(ES256\) signs now\n[\w-]{43} \(RS256\) signs now\n$/,
    );
    const { rows: after } = await database.client.query(
      "select retired_at is null as current from portolan.signing_keys",
    );
    assert.deepEqual(after, [{ current: true }, { current: true }]);
  });
});
