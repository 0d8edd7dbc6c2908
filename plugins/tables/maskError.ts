import { GraphQLError } from "postgraphile/graphql";
import { defaultMaskError } from "postgraphile/grafserv";
import { toGatewayError, toGraphqlError } from "../../server/ground/errors.ts";

/**
 * The errors that a server of a team's own shows: faults of the caller with their message and `extensions.code`, as the
 * gateway does. Everything else is masked and logged, as that server does by default.
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
