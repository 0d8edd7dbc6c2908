import { t } from "../../words/words.ts";

/** The forms in which a panel of a dashboard shows a result. */
export const SHOWS = { number: t("Number"), line: t("Line chart"), bar: t("Bar chart"), table: t("Table") } as const;
