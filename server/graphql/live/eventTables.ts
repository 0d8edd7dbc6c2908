/** The tables that an account can subscribe to, for a page to choose from. Introspection names all that could have events. */
import type { GraphQLSchema } from "graphql";
import { eventFieldOf } from "../../../plugins/rows/eventFields.ts";
import { databaseNameOf } from "../../../plugins/tables/resources.ts";
import type { Identity } from "../../kernel/database/database.ts";
import { ofRole } from "../access.ts";
import type { ServedSchema } from "../build/schemaRegistry.ts";

const TABLES_WITH_EVENTS = `
select n.nspname as schema, c.relname as name
from portolan.event_tables t join pg_class c on c.oid = t.relation join pg_namespace n on n.oid = c.relnamespace
where t.active and has_schema_privilege($1::name, n.oid, 'usage') and has_any_column_privilege($1::name, c.oid, 'select')`;

export interface EventTable {
  /** The prefix of the table's three subscription fields, as in `CitiesMessageAdded`. */
  readonly type: string;
  readonly schema: string;
  readonly table: string;
}

/** The tables of the schema whose events are on and which the account may select from, by name. */
export async function eventTablesOf(
  { database, schema }: Pick<ServedSchema, "database" | "schema">,
  { role }: Identity,
): Promise<EventTable[]> {
  const rows = await ofRole(database.db.any<{ schema: string; name: string }>(TABLES_WITH_EVENTS, [role]));
  const on = new Set(rows.map((row) => JSON.stringify([row.schema, row.name])));
  return subscribable(schema).filter((one) => on.has(JSON.stringify([one.schema, one.table])));
}

function subscribable(schema: GraphQLSchema): EventTable[] {
  return Object.values(schema.getSubscriptionType()?.getFields() ?? {})
    .flatMap((field): EventTable[] => {
      const event = eventFieldOf(field);
      const relation = event?.operation === "INSERT" ? databaseNameOf(event.resource) : undefined;
      if (!relation) return [];
      return [{ type: field.name.replace(/MessageAdded$/, ""), schema: relation.schema, table: relation.name }];
    })
    .sort((a, b) => (a.type < b.type ? -1 : 1));
}
