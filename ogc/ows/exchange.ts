/** A request to a classic service, as its handlers receive it. */
import type { Exchange } from "../exchange/exchange.ts";
import type { Collection } from "../collections/collections.ts";
import type { OwsParameters } from "./parameters.ts";
import type { XmlElement } from "../../server/types/xml.ts";
import type { Action } from "./wfs/transactionReader.ts";
import type { Service } from "./exception.ts";

export interface OwsExchange extends Exchange {
  readonly service: Service;
  readonly version: string;
  /** The parameters of the request, as the table of parameters reads them. */
  readonly given: OwsParameters;
  /** The XML of a posted request; undefined for a request in a query string. */
  readonly body: XmlElement | undefined;
  /** The actions of a transaction. */
  readonly actions: readonly Action[] | undefined;
  /** Address of the service, without a question mark at the end. */
  readonly address: string;
  /** The namespace of types and properties in GML. It is the same at the address of a schema. */
  readonly namespace: string;
  /** The schema in the address; undefined for all schemas. */
  readonly schema: string | undefined;
  /** The collections at this address, before the caller's rights are checked. */
  readonly offered: readonly Collection[];
}
