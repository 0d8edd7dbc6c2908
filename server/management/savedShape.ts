/** The members that all saved things have: maps, queries, dashboards and views. `portolan.tg__own_saved` checks the same in SQL. */
import { z } from "zod";

/** The text that shares with everybody. */
export const EVERYBODY = "*";

export const savedName = z.string().regex(/^[a-z0-9-]{1,60}$/, "must be 1 to 60 of a-z, 0-9 and -");

export const title = z.string().min(1).max(200).nullish();

/** `who`: the meaning of everybody, e.g. `everybody who is signed in`. */
export const sharedWith = (who: string) =>
  z
    .array(z.string().max(40))
    .max(100)
    .meta({ description: `Accounts and groups that see it; ${EVERYBODY}: ${who}` });

export const owner = z
  .string()
  .max(40)
  .nullish()
  .meta({ description: "Only super users change it; null: the operator" });
