/** QGIS' names of marks, in QML and in the SLD that it writes, and the symbols for them. */
export const QGIS_MARKS: Readonly<Record<string, string>> = {
  circle: "circle", square: "square", rectangle: "square", diamond: "diamond", triangle: "triangle", equilateral_triangle: "triangle",
  star: "star", regular_star: "star", cross: "cross", cross2: "x", x: "x", cross_fill: "cross", quarter_circle: "circle", semi_circle: "circle",
}; // oxfmt-ignore
