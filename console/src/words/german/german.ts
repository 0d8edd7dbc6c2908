/** The German texts by their English ones. Readers are addressed by Sie, as on the pages of the sign-in. */
import { access } from "./access.ts";
import { data } from "./data.ts";
import { home } from "./home.ts";
import { maps } from "./maps.ts";
import { queries } from "./queries.ts";
import { schema } from "./schema.ts";
import { shared } from "./shared.ts";
import { ui } from "./ui.ts";

export { names } from "./names.ts";

export const texts = { ...access, ...data, ...home, ...maps, ...queries, ...schema, ...shared, ...ui };
