import type { Command } from "commander";
import { OperatorError } from "../ground/errors.ts";
import { calling, listing, print, withDatabase } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";

interface RuleOptions extends DatabaseOption {
  readonly user?: string;
  readonly schema?: string;
  readonly table?: string;
  readonly service?: string;
  readonly request?: string;
  readonly from?: string;
  readonly priority: string;
  readonly filter?: string;
  readonly mfa?: boolean;
}

export function addRuleCommands(program: Command): void {
  const rule = program
    .command("rule")
    .description("rules: who may read and write which rows, from where, through what");

  withDatabase(rule.command("add <access>").description("make a rule: allow, limit or deny; prints its number"))
    .option("--user <glob>", "account or group")
    .option("--schema <glob>")
    .option("--table <glob>")
    .option("--service <name>", "graphql, rpc, sql, events or ogc")
    .option("--request <name>", "select, insert, update or delete")
    .option("--from <network>", "address or network (CIDR)")
    .option("--priority <number>", "lower ones are evaluated first", "0")
    .option("--filter <condition>", "with limit: SQL on the table's columns; {{key}} is the account's properties.key")
    .option("--mfa", "deny sessions without a second factor")
    .action(async (access: string, options: RuleOptions) => {
      if (!/^-?\d{1,9}$/.test(options.priority)) throw new OperatorError("--priority: must be a whole number");
      const { user: username, from: iprange, priority, schema, table, service, request, filter, mfa } = options;
      const members = {
        access,
        username,
        iprange,
        priority: Number(priority),
        schema,
        table,
        service,
        request,
        filter,
        mfa,
      };
      const { id, notes } = await withOwner(options, async ({ db }) => {
        const { id } = await db.one<{ id: number }>("select portolan.create_rule($1) as id", [JSON.stringify(members)]);
        const { notes } = await db.one<{ notes: string[] }>("select portolan.rule_notes($1) as notes", [id]);
        return { id, notes };
      });
      print(`rule ${id}`);
      for (const note of notes) process.stderr.write(`portolan: ${note}\n`);
    });

  listing(
    rule.command("list").description("all rules, in the order of evaluation"),
    `select id, priority, username, service, request, schema, "table", iprange, access, filter, mfa from portolan.list_rules()`,
  );

  calling(
    rule.command("change <id> <json>").description("change members, with their names in REST: a JSON object"),
    "select portolan.update_rule($1::integer, $2::jsonb)",
    (id) => `rule ${id} is changed`,
  );
  withDatabase(rule.command("remove <id>").description("remove a rule")).action(
    async (id: string, options: DatabaseOption) => {
      if (!/^[1-9]\d{0,8}$/.test(id)) throw new OperatorError("the number of a rule, as portolan rule list shows it");
      await withOwner(options, ({ db }) => db.func("portolan.drop_rule", [Number(id)]));
      print(`rule ${id} is removed`);
    },
  );

  listing(
    program
      .command("explain-access <user> <relation>")
      .description("the grants, policies and rules that decide what an account may do with a relation"),
    "select * from portolan.explain_access($1, $2::regclass)",
  );
  listing(
    program
      .command("code-owners <relation>")
      .description("untrusted roles whose code a statement over a relation can run, and that code"),
    "select owner, reads, via from portolan.code_owners($1::regclass)",
  );
}
