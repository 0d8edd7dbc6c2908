/** Vector tiles that are made in advance. */
import { InvalidArgumentError, type Command } from "commander";
import { calling, listing, print, withDatabase } from "./command.ts";
import { withOwner, type DatabaseOption } from "./databases.ts";

interface SeedOptions extends DatabaseOption {
  readonly tms: string;
  readonly zoom: readonly [first: number, last: number];
  readonly as: string;
}

export function addTilesCommands(program: Command): void {
  const tiles = program.command("tiles").description("vector tiles that are made in advance: pyramids");
  withDatabase(
    tiles
      .command("seed <collection>")
      .description("have a gateway make the vector tiles of a collection, or the missing ones")
      .option("--tms <id>", "tile matrix set", "WebMercatorQuad")
      .option("--zoom <levels>", "first and last level, such as 0-12", readZoom, [0, 12] as const)
      .option("--as <account>", "for accounts with the same rights as this one", "anonymous"),
  ).action(seed);
  listing(
    tiles.command("list").description("all pyramids, by collection"),
    `select id, collection, tile_matrix_set, first_zoom, last_zoom, account, job, state, tiles, bytes, behind, error
     from portolan.list_pyramids()`,
  );
  calling(
    tiles.command("remove <id>").description("remove a pyramid, or stop making it"),
    "select portolan.drop_pyramid($1)",
    (id) => `the pyramid ${id} is removed`,
  );
}

function readZoom(text: string): readonly [number, number] {
  const [, first, last = first] = /^(\d{1,2})(?:-(\d{1,2}))?$/.exec(text) ?? [];
  if (first === undefined) throw new InvalidArgumentError("must be levels, such as 0-12");
  return [Number(first), Number(last)];
}

async function seed(collection: string, { tms, zoom: [first, last], as, ...options }: SeedOptions): Promise<void> {
  const [schema, table, column = null] = collection.split(".");
  const { job } = await withOwner(options, ({ db }) =>
    db.one<{ job: string }>("select portolan.seed_tiles(portolan.relation_of($1, $2), $3, $4, $5, $6, $7) as job", [
      schema,
      table ?? "",
      last,
      first,
      as,
      tms,
      column,
    ]),
  );
  print(`job ${job} makes the tiles: portolan jobs list shows the progress`);
}
