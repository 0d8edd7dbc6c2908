import { GraphQLError } from "postgraphile/graphql";
import { defaultMaskError } from "postgraphile/grafserv";
import { toGatewayError, toGraphqlError } from "../../server/ground/errors.ts";

/**
 * The errors that a team's own server shows. Faults of the caller have their message and `extensions.code`, as in
 * Portolan. All others are masked and logged, as that server does by default.
 */
export function maskError(error: GraphQLError): GraphQLError {
  const { originalError, nodes, source, positions, path } = error;
  if (!originalError || originalError instanceof GraphQLError) return defaultMaskError(error);
  const { message, extensions } = toGraphqlError(toGatewayError(originalError));
  if (extensions.code === "INTERNAL") return defaultMaskError(error);
  return new GraphQLError(message, {
    nodes: nodes ?? null,
    source: source ?? null,
    positions: positions ?? null,
    path: path ?? null,
    originalError,
    extensions,
  });
}
