/** The view of a map in an address. */
import type { Place } from "./LayeredMap.tsx";

/** Reads `longitude,latitude,zoom`; undefined for anything else. */
export function readPlace(text: string | undefined): Place | undefined {
  const [lon = NaN, lat = NaN, zoom = NaN, ...more] = (text ?? "")
    .split(",")
    .map((part) => (part === "" ? NaN : Number(part)));
  const isRight = Math.abs(lon) <= 180 && Math.abs(lat) <= 90 && zoom >= 0 && zoom <= 24 && more.length === 0;
  return isRight ? { center: [lon, lat], zoom } : undefined;
}

export function placeText({ center: [lon, lat], zoom }: Place): string {
  return [lon, lat, zoom].join(",");
}
