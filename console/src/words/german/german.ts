/** The German texts by their English ones. The reader is addressed as Sie, as on the sign-in pages. */
import { access } from "./access.ts";
import { data } from "./data.ts";
import { home } from "./home.ts";
import { maps } from "./maps.ts";
import { queries } from "./queries.ts";
import { schema } from "./schema.ts";
import { shared } from "./shared.ts";
import { ui } from "./ui.ts";

export { additions, names, sayings } from "./names.ts";

export const texts = { ...access, ...data, ...home, ...maps, ...queries, ...schema, ...shared, ...ui };
