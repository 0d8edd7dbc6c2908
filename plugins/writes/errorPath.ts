/** The path of an error in the caller's arguments. */
import { GatewayError, toGatewayError } from "../../server/ground/errors.ts";

/** Runs code for one path, such as `objects.3`. Errors of that code get the path. */
export async function atPath<Result>(path: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const { code, message, sqlstate } = toGatewayError(error);
    if (sqlstate === undefined && !(error instanceof GatewayError)) throw error; // its message is not meant for the caller
    throw new GatewayError(code, `${path}: ${message}`, { cause: error, sqlstate });
  }
}
