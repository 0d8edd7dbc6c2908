/** Saved maps over REST. Row security of `portolan.maps` decides who sees and changes which. */
import { z } from "zod";
import { collectionResources } from "../kernel/rest/collection.ts";
import { rowsOf } from "../kernel/rest/rows.ts";
import { mapMembers, mapName, ownMembers } from "./mapShape.ts";

const version = z.int().meta({ description: "Counts the changes of the map" });
const { layers, shared, ...optional } = ownMembers;

export const newMap = z
  .strictObject({ name: mapName, ...optional, layers: layers.optional(), shared: shared.optional() })
  .meta({ title: "NewMap" });

export const mapChange = z
  .strictObject({
    ...z.object(mapMembers).partial().shape,
    version: version.optional().meta({ description: "The version that was read: 409 where it is another by now" }),
  })
  .meta({ title: "MapChange" });

export const mapResources = collectionResources({
  path: "/maps",
  noun: "map",
  name: mapName,
  description:
    "Maps of several layers. The account that makes one owns it; it and super users change it, and those that it is shared with see it.",
  shown: z
    .object({
      name: mapName,
      ...mapMembers,
      version,
      may_change: z.boolean().meta({ description: "Whether the caller may change it" }),
    })
    .meta({ title: "Map" }),
  create: newMap,
  change: mapChange,
  oneForOne: true,

  list: (caller, names) => rowsOf(caller, "portolan.list_maps($1::text[])", [names]),

  async add(caller, maps) {
    await caller.transact((transaction) =>
      transaction.query({
        text: `
select portolan.create_map(m.name, m.title, m.view, m.layers, m.shared)
from jsonb_to_recordset($1::jsonb) as m (name text, title text, view jsonb, layers jsonb, shared text[])`,
        values: [JSON.stringify(maps)],
      }),
    );
    return maps.map(({ name }) => ({ name }));
  },

  async update(caller, names, change) {
    await caller.transact((transaction) =>
      transaction.query({
        text: "select portolan.update_map(name, $2::jsonb) from unnest($1::text[]) name",
        values: [names, JSON.stringify(change)],
      }),
    );
  },

  async remove(caller, names) {
    await caller.transact((transaction) =>
      transaction.query({ text: "select portolan.drop_map(name) from unnest($1::text[]) name", values: [names] }),
    );
  },
});
