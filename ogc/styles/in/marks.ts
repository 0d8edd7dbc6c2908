/** QGIS' names of marks, in QML and in the SLD that it writes, and the symbols for them. */
export const QGIS_MARKS: Readonly<Record<string, string>> = {
  circle: "circle", square: "square", rectangle: "square", diamond: "diamond", triangle: "triangle", equilateral_triangle: "triangle",
  star: "star", regular_star: "star", cross: "cross", cross2: "x", x: "x", cross_fill: "cross",
}; // oxfmt-ignore

/** Marks of QGIS without a counterpart, and the symbols that are nearest. */
export const NEAREST_MARKS: Readonly<Record<string, string>> = {
  line: "cross", arrowhead: "triangle", filled_arrowhead: "triangle", arrow: "triangle", left_half_triangle: "triangle",
  right_half_triangle: "triangle", asterisk_fill: "star", diamond_star: "star", half_square: "square", diagonal_half_square: "square",
  square_with_corners: "square", rounded_square: "square", trapezoid: "square", parallelogram_left: "square",
  parallelogram_right: "square",
}; // oxfmt-ignore

/** Brushes of Qt that consist of dots, by the part of the area that the dots cover. */
export const QT_BRUSHES: Readonly<Record<string, number>> = {
  dense1: 60 / 64, dense2: 56 / 64, dense3: 40 / 64, dense4: 32 / 64, dense5: 24 / 64, dense6: 8 / 64, dense7: 4 / 64,
}; // oxfmt-ignore

/** The distance between the lines of Qt's brushes, which repeat after 8 pixels along each side. */
export const brushDistance = (angle: number): number => (angle % 90 === 0 ? 8 : 5.66);
