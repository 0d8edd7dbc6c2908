/**
 * The description of a classic service in its capabilities. At the address of a schema it comes from that schema's
 * comment.
 */
import { aboutOf, datasetAbout } from "../exchange/publisher.ts";
import type { Collection } from "../collections/collections.ts";
import type { OwsExchange } from "./exchange.ts";
import { xml, type Xml } from "./xml.ts";

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

/** Who provides the service, as OWS Common has it (OGC 05-008 and 06-121r3, §7.4.5). A name is required. */
export function serviceProvider({ config }: Pick<OwsExchange, "config">, { title }: ServiceAbout): Xml {
  const { name, url, email } = config.contact ?? {};
  const address = email !== undefined && xml`<ows:Address><ows:ElectronicMailAddress>${email}</ows:ElectronicMailAddress></ows:Address>`; // oxfmt-ignore
  const page = url !== undefined && xml`<ows:OnlineResource xlink:href="${url}"/>`;
  const individual = name !== undefined && xml`<ows:IndividualName>${name}</ows:IndividualName>`;
  const info = (address || page) && xml`<ows:ContactInfo>${address}${page}</ows:ContactInfo>`;
  return xml`<ows:ServiceProvider><ows:ProviderName>${name ?? title}</ows:ProviderName>${
    url !== undefined && xml`<ows:ProviderSite xlink:href="${url}"/>`
  }<ows:ServiceContact>${individual}${info}</ows:ServiceContact></ows:ServiceProvider>`;
}
