/** The console as a client of the service. */
import type { Route } from "../kernel/http/routes.ts";

/** The client to which the tokens of our own pages belong. */
export const CONSOLE_CLIENT = "portolan-console";

/** Whether it loads a page of the console, or asks for its token: such requests have no token yet. */
export function isOfConsole(route: Route | undefined): boolean {
  return route?.path.split("/", 2)[1] === "console";
}
