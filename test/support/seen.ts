/** What the screen of a page shows. */
import type { CDPSession, Locator, Page } from "playwright-core";
import { picture, type Box, type Picture } from "../maps/pixels.ts";

const sessions = new WeakMap<Page, Promise<CDPSession>>();

/**
 * All that the window shows. A picture by Playwright takes five times as long: it is packed well, is cut out by a change of the
 * window's size, and waits for fonts.
 */
export async function screenOf(page: Page): Promise<Picture> {
  const known = sessions.get(page) ?? page.context().newCDPSession(page);
  sessions.set(page, known);
  const session = await known;
  const { data } = await session.send("Page.captureScreenshot", { format: "png", optimizeForSpeed: true });
  return picture(Buffer.from(data, "base64"));
}

/** The screen, the part of it that an element takes, in its pixels, and how many of them there are in one of CSS. */
export async function seenOf(target: Locator): Promise<{ screen: Picture; within: Box; ratio: number }> {
  await target.scrollIntoViewIfNeeded();
  const page = target.page();
  const [screen, box] = await Promise.all([screenOf(page), target.boundingBox()]);
  const ratio = screen.width / page.viewportSize()!.width;
  const pixel = (place: number): number => Math.round(place * ratio);
  const [left, top] = [pixel(Math.floor(box!.x)), pixel(Math.floor(box!.y))];
  const [right, bottom] = [pixel(Math.ceil(box!.x + box!.width)), pixel(Math.ceil(box!.y + box!.height))];
  return { screen, within: { x: left, y: top, width: right - left, height: bottom - top }, ratio };
}
