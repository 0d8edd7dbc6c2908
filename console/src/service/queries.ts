/** Saved SQL, which accounts share. */
import type { Query } from "./http/openapi.ts";
import { savedThings } from "./saved.ts";

export type { Query };

export const queries = savedThings<Query>("queries");
export const savedQueries = queries.all;
