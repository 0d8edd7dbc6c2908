/**
 * The description of a classic service in its capabilities. At the address of a schema it comes from that schema's
 * comment.
 */
import { aboutOf, datasetAbout } from "../exchange/publisher.ts";
import type { Collection } from "../collections/collections.ts";
import type { OwsExchange } from "./exchange.ts";

export interface ServiceAbout {
  readonly title: string;
  readonly description: string | undefined;
  readonly keywords: readonly string[];
  /** The name and address of the licence, or `none`. */
  readonly constraints: string;
}

/** `seen`: the layers that the caller sees. Without one nothing of the comment is shown. */
export function serviceAbout(exchange: OwsExchange, seen: readonly Collection[]): ServiceAbout {
  const { schema, config } = exchange;
  const whole = datasetAbout({ ...exchange, seen });
  const own = schema === undefined ? whole : aboutOf(seen);
  const license = own?.license ?? whole.license;
  const named = own?.title ?? `${config.title ?? whole.title}: ${schema}`;
  return {
    title: schema === undefined ? whole.title : named,
    description: own?.description,
    keywords: own?.keywords ?? [],
    constraints: license
      ? [license.name, license.url].filter((part, i, all) => part !== undefined && all.indexOf(part) === i).join(" ")
      : "none",
  };
}
