/** Where in what the caller gave an error is. */
import { GatewayError, toGatewayError } from "../server/kernel/errors.ts";

/** Runs what is about one place, such as `objects.3`: what is refused there is told with it. */
export async function atPath<Result>(path: string, run: () => Promise<Result>): Promise<Result> {
  try {
    return await run();
  } catch (error) {
    const { code, message, sqlstate } = toGatewayError(error);
    if (sqlstate === undefined && !(error instanceof GatewayError)) throw error; // its message is not for the caller
    throw new GatewayError(code, `${path}: ${message}`, { cause: error, sqlstate });
  }
}
