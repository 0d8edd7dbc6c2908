/** The parts of a style from another program that are left out. */

/** A note. `at`: the place in the document, such as `Rule 2 "Roads" / LineSymbolizer`. */
export interface Note {
  readonly at: string;
  readonly message: string;
}

/** The most notes that are kept. Further ones are only counted. */
const MOST = 200;

/** The notes of one document, each once. */
export class Notes {
  readonly #notes = new Map<string, Note>();
  #more = 0;

  add(at: string, message: string): void {
    const key = JSON.stringify([at, message]);
    if (this.#notes.has(key)) return;
    if (this.#notes.size < MOST) this.#notes.set(key, { at, message: message.slice(0, 500) });
    else this.#more++;
  }

  get all(): readonly Note[] {
    const notes = [...this.#notes.values()];
    return this.#more === 0 ? notes : [...notes, { at: "", message: `${this.#more} notes more` }];
  }
}
