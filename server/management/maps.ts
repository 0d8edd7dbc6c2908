/** Saved maps over REST. */
import { mapMembers } from "./mapShape.ts";
import { savedKind } from "./saved.ts";

export const maps = savedKind({
  noun: "map",
  plural: "maps",
  title: "Map",
  description:
    "Maps of several layers. The account that makes one owns it. The owner and super users change it, and the accounts that it is shared with see it.",
  members: mapMembers,
  required: [],
});
