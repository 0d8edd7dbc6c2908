/** A page of features in a format: the text before, between and after the features. */
import type { Transaction } from "../../../server/kernel/database/database.ts";
import type { Write } from "../../../server/kernel/http/answer.ts";
import type { Links } from "../../exchange/links.ts";
import type { FeatureEncoding } from "../encoding.ts";
import type { Problem } from "../feature.ts";
import type { Selection } from "./featureSql.ts";
import type { Page } from "./pagePlace.ts";

/** Facts that are known when the whole page has been read. */
export interface Summary {
  readonly numberReturned: number;
  /** Undefined where the number is not known. */
  readonly numberMatched: number | undefined;
  readonly links: Links;
  readonly problems: readonly Problem[];
}

export type Piece = string | Buffer;

/** The most bytes that are held back so that the headers can be complete. */
const HELD_BYTES = 250_000;

export abstract class FeatureDocument {
  abstract readonly encoding: FeatureEncoding;

  /** Finds out what the format needs before the first feature. */
  prepare?(transaction: Transaction, selection: Selection, page: Page): Promise<void>;

  /** Whether to hold back this many features, of this many bytes, until more have come. */
  holds(bytes: number, _count: number): boolean {
    return bytes < HELD_BYTES;
  }

  /** The first chunk: the features that have come, and the text before them. `isWhole`: they are all features. */
  abstract begin(features: readonly Piece[], { numberReturned, isWhole }: Beginning): readonly Piece[];

  /**
   * The text after the last feature. Undefined for a format without such a text. The headers then have the summary, and
   * a first feature that cannot be shown is an error, since nothing could report it.
   */
  end?(summary: Summary): string;

  /** For a format whose bytes are not those of its features in sequence. */
  readonly written?: WrittenDocument;

  /** Releases the resources of the document, whether it is complete or not. */
  close?(): Promise<void>;
}

/** Takes the encoded features, and writes the bytes of the format when they are complete. */
export interface WrittenDocument {
  add(pieces: readonly Piece[], write: Write): Promise<void>;
  end(write: Write): Promise<void>;
}

export interface Beginning {
  readonly numberReturned: number;
  readonly isWhole: boolean;
}
