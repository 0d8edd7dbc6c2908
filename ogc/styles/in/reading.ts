/** The common part of the readers of formats. */
import { GatewayError } from "../../../server/ground/errors.ts";
import type { Collection } from "../../collections/collections.ts";
import type { Ground } from "./ground.ts";
import type { Notes } from "./notes.ts";
import type { Rule } from "./rules.ts";

/** The input of the reader of a format. */
export interface Reading {
  readonly collection: Collection;
  readonly notes: Notes;
  readonly ground: Ground;
}

/** The result of a reader. */
export interface Document {
  readonly rules: readonly Rule[];
  readonly title: string | undefined;
}

/** Parses JSON. Throws `BAD_USER_INPUT`. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new GatewayError("BAD_USER_INPUT", `The style is not JSON: ${(error as Error).message}`, { cause: error });
  }
}
