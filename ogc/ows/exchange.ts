/** A request to a classic service, as its handlers see it. */
import type { Exchange } from "../exchange/exchange.ts";
import type { Collection } from "../collections/collections.ts";
import type { OwsParameters } from "./parameters.ts";
import type { XmlElement } from "../../server/types/xml.ts";
import type { Action } from "./wfs/transactionReader.ts";
import type { Service } from "./exception.ts";

export interface OwsExchange extends Exchange {
  readonly service: Service;
  readonly version: string;
  /** The parameters of the request, read by the table of parameters. */
  readonly given: OwsParameters;
  /** The XML of a request that was posted; undefined: it is in the query. */
  readonly body: XmlElement | undefined;
  /** Of a transaction. */
  readonly actions: readonly Action[] | undefined;
  /** Address of the service, without a question mark at the end. */
  readonly address: string;
  /** The namespace of types and properties in GML: the same at the address of a schema. */
  readonly namespace: string;
  /** The schema that the address names; undefined: all schemas. */
  readonly schema: string | undefined;
  /** The collections that this address offers, before rights are asked. */
  readonly offered: readonly Collection[];
}
