/** How a panel of a dashboard shows a result. */
export const SHOWS = { number: "Number", line: "Line chart", bar: "Bar chart", table: "Table" } as const;
