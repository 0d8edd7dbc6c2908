/** Rules over REST, for super users, which the grants on the SQL functions enforce. */
import { z } from "zod";
import { collectionResources } from "../kernel/rest/collection.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { SERVICES } from "../ground/services.ts";

const MAX_ID = 2_147_483_647;

const number = z.int().min(1).max(MAX_ID);
const id = z
  .string()
  .regex(/^[1-9]\d{0,9}$/, "must be the number of a rule")
  .refine((text) => Number(text) <= MAX_ID);
const glob = z.string().min(1, "must not be empty").max(200);

const members = {
  priority: z
    .int()
    .min(-MAX_ID)
    .max(MAX_ID)
    .meta({ description: "Lower ones are evaluated first; the first that matches decides" }),
  username: glob.meta({ description: "An account, a group (which means its members), or a glob of such names" }),
  service: z
    .enum(["*", ...SERVICES])
    .meta({ description: "In SQL that somebody wrote, stored methods too, the service is sql; rpc means the same" }),
  request: z.enum(["*", "select", "insert", "update", "delete"]),
  schema: glob.meta({ description: "A schema, or a glob" }),
  table: glob.meta({ description: "A table, or a glob; it applies to partitions too" }),
  iprange: z.string().min(1).max(50).meta({ description: "*, an address or a network (CIDR)" }),
  access: z.enum(["allow", "limit", "deny"]),
  filter: z
    .string()
    .max(10_000)
    .nullable()
    .meta({ description: "With limit: a condition on the table's columns; {{key}} is the account's properties.key" }),
  mfa: z
    .boolean()
    .meta({ description: "With allow and limit: it denies a session that has not signed in with a second factor" }),
};

const shown = z.object({ id: number, ...members }).meta({ title: "Rule" });
const { access, ...others } = members;
export const newRule = z
  .strictObject({ id: number.optional(), ...z.object(others).partial().shape, access })
  .meta({ title: "NewRule" });
const change = z.strictObject(z.object(members).partial().shape).meta({ title: "RuleChange" });

export const ruleResources = collectionResources({
  path: "/rules",
  noun: "rule",
  name: id,
  description: "For super users. No rule applies to super users.",
  shown,
  create: newRule,
  change,
  oneForOne: true,
  created: z
    .object({
      id: number,
      notes: z
        .array(z.string())
        .optional()
        .meta({ description: "The parts of it that match nothing yet, such as a glob" }),
    })
    .meta({ title: "RuleId" }),

  list: (caller, ids) => rowsOf(caller, "portolan.list_rules($1::integer[])", [ids]),

  async add(caller, rules) {
    return caller.transact(async (transaction) => {
      const made = await transaction.query<{ ids: number[] }>({
        text: "select array_agg(portolan.create_rule(value) order by ordinality) as ids from jsonb_array_elements($1::jsonb) with ordinality",
        values: [JSON.stringify(rules)],
      });
      const { rows } = await transaction.query<{ id: number; notes: string[] }>({
        text: "select id, portolan.rule_notes(id) as notes from unnest($1::integer[]) with ordinality as made (id, n) order by n",
        values: [made.rows[0]?.ids],
      });
      return rows.map(({ id, notes }) => ({ name: String(id), members: { id, ...(notes.length > 0 && { notes }) } }));
    });
  },

  async update(caller, ids, changes) {
    await caller.transact((transaction) =>
      transaction.query({
        text: "select portolan.update_rule(id, $2::jsonb) from unnest($1::integer[]) id",
        values: [ids, JSON.stringify(changes)],
      }),
    );
  },

  async remove(caller, ids) {
    await caller.transact((transaction) =>
      transaction.query({ text: "select portolan.drop_rule(id) from unnest($1::integer[]) id", values: [ids] }),
    );
  },
});
