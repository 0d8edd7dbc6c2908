/** What a format makes of a page of features: what stands before them, between them and after them. */
import type { Transaction } from "../../../server/kernel/database/database.ts";
import type { Link } from "../../exchange/links.ts";
import type { FeatureEncoding } from "../encoding.ts";
import type { Problem } from "../feature.ts";
import type { Selection } from "./featureSql.ts";
import type { Page } from "./pagePlace.ts";

/** What is known of a page when all of it was read. */
export interface Summary {
  readonly numberReturned: number;
  /** Undefined where it is not known. */
  readonly numberMatched: number | undefined;
  readonly links: readonly Link[];
  readonly problems: readonly Problem[];
}

export type Piece = string | Buffer;

/** So much is held back for the sake of complete headers. */
const HELD_BYTES = 250_000;

export abstract class FeatureDocument {
  abstract readonly encoding: FeatureEncoding;

  /** Finds out what must be known before the first feature is read. */
  prepare?(transaction: Transaction, selection: Selection, page: Page): Promise<void>;

  /** Whether features that came are held back until more of them are there: so many, of so many bytes. */
  holds(bytes: number, _count: number): boolean {
    return bytes < HELD_BYTES;
  }

  /** What is sent first: the features that came, and what stands before them. `isWhole`: they are all. */
  abstract begin(features: readonly Piece[], { numberReturned, isWhole }: Beginning): readonly Piece[];

  /**
   * What stands behind the last feature. Undefined where nothing does: what a summary says is then in the headers, and a
   * first feature that cannot be given is an error, since nothing could tell of it.
   */
  end?(summary: Summary): string;
}

export interface Beginning {
  readonly numberReturned: number;
  readonly isWhole: boolean;
}
