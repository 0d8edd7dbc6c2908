/** Further ordinates beside x and y: heights, measures. */
export interface Dimensions {
  readonly z: boolean;
  readonly m: boolean;
}
