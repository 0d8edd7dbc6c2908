import { html } from "../../server/kernel/http/html.ts";
import type { Exchange } from "../exchange/exchange.ts";
import type { Link } from "../exchange/links.ts";
import { cellSizeOf, scaleOf, wholeOf, type TileMatrixSet } from "../tiles/tileMatrixSet.ts";
import { linkList, sendPage } from "./layout.ts";

export function tileMatrixSetsPage(exchange: Exchange, sets: readonly TileMatrixSet[], links: readonly Link[]): void {
  sendPage(exchange, {
    title: "Tile matrix sets",
    description: "The ways to divide the world into tiles.",
    trail: [],
    links,
    body: linkList(
      sets.map(({ id, title }) => ({
        title: `${id}: ${title}`,
        href: exchange.addresses.local(["tileMatrixSets", id]),
      })),
    ),
  });
}

export function tileMatrixSetPage(exchange: Exchange, set: TileMatrixSet, links: readonly Link[]): void {
  const levels = Array.from({ length: set.levels }, (_, level) => level);
  sendPage(exchange, {
    title: set.id,
    description: set.title,
    trail: [{ title: "Tile matrix sets", path: ["tileMatrixSets"] }],
    links,
    body: html`<dl>
        <dt>System</dt>
        <dd>${set.crs.uri}</dd>
        <dt>Rectangle</dt>
        <dd>${wholeOf(set).join(", ")}</dd>
      </dl>
      <div class="scroll" role="region" aria-label="Levels" tabindex="0">
        <table>
          <thead>
            <tr>
              <th scope="col">Level</th>
              <th scope="col">Columns</th>
              <th scope="col">Rows</th>
              <th scope="col">Side of a pixel</th>
              <th scope="col">Scale</th>
            </tr>
          </thead>
          <tbody>
            ${levels.map(
              (level) =>
                html`<tr>
                  <th scope="row">${String(level)}</th>
                  <td>${String(set.columns * 2 ** level)}</td>
                  <td>${String(set.rows * 2 ** level)}</td>
                  <td>${String(cellSizeOf(set, level))}</td>
                  <td>1 : ${String(Math.round(scaleOf(set, level)))}</td>
                </tr>`,
            )}
          </tbody>
        </table>
      </div>`,
  });
}
