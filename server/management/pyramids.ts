/** Pyramids over REST: vector tiles that are made in advance, as stored in `portolan.pyramids`. */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import { taking, type Caller, type Parameters, type Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

const zoom = z.int().min(0).max(24);
const name = z.string().min(1).max(200);

const shown = z
  .object({
    id: z.int(),
    collection: z.string(),
    tile_matrix_set: z.string(),
    first_zoom: zoom,
    last_zoom: zoom,
    account: z
      .string()
      .meta({ description: "The account whose rights the tiles have; accounts with the same rights get them" }),
    job: z.int().nullable().meta({ description: "Its number at /jobs" }),
    state: z.enum(["queued", "running", "stopped", "failed", "done"]).nullable(),
    tiles: z.int().meta({ description: "With those that have nothing in them" }),
    bytes: z.int(),
    behind: z.int().meta({ description: "Areas that were written since; their tiles are made on request" }),
    error: z.string().nullable(),
  })
  .meta({ title: "Pyramid" });

const wanted = z
  .strictObject({
    collection: name.meta({ description: "schema.table, or schema.table.column for another column of geometries" }),
    last_zoom: zoom,
    first_zoom: zoom.optional().meta({ description: "Default 0" }),
    account: name.optional().meta({ description: "Default anonymous" }),
    tile_matrix_set: name.optional().meta({ description: "Default WebMercatorQuad" }),
  })
  .meta({ title: "WantedPyramid" });

const DESCRIPTION =
  "Vector tiles that are made in advance. The writes of the table must be recorded (events or history). For super users.";

export const pyramidResources: readonly Resource[] = [
  {
    path: "/pyramids",
    tag: "pyramids",
    parameters: {},
    operations: {
      GET: {
        id: "list_pyramids",
        summary: "All pyramids, by collection",
        description: DESCRIPTION,
        status: 200,
        shown: z.array(shown),
        run: async (caller) => ({ status: 200, body: await rowsOf(caller, "portolan.list_pyramids()", []) }),
      },
      POST: taking(wanted, {
        id: "create_pyramid",
        summary: "Make a pyramid, or the missing tiles of one",
        description: `${DESCRIPTION} The job shows the progress.`,
        status: 201,
        run: async (caller, _parameters, asked) => {
          const job = await seed(caller, asked);
          return { status: 201, location: `/jobs/${job}`, items: [{ path: `/jobs/${job}` }] };
        },
      }),
    },
  },
  {
    path: "/pyramids/{id}",
    tag: "pyramids",
    parameters: { id: "Number of a pyramid" },
    operations: {
      DELETE: {
        id: "delete_pyramid",
        summary: "Remove a pyramid, or stop making it",
        description: DESCRIPTION,
        status: 204,
        run: async (caller, parameters) => {
          const id = idOf(parameters);
          await caller.transact((transaction) =>
            transaction.query({ text: "select portolan.drop_pyramid($1)", values: [id] }),
          );
          return { status: 204 };
        },
      },
    },
  },
];

/** Throws `NOT_FOUND` for text that is not the number of a pyramid. */
function idOf({ id = "" }: Parameters): string {
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new GatewayError("NOT_FOUND", `There is no pyramid ${JSON.stringify(id)}`);
  return id;
}

async function seed(caller: Caller, asked: z.infer<typeof wanted>): Promise<string> {
  const [schema = "", table = "", column = null] = asked.collection.split(".");
  return caller.transact(async (transaction) => {
    const { rows } = await transaction.query<{ job: string }>({
      text: "select portolan.seed_tiles(portolan.relation_of($1, $2), $3, $4, $5, $6, $7) as job",
      values: [
        schema,
        table,
        asked.last_zoom,
        asked.first_zoom ?? 0,
        asked.account ?? "anonymous",
        asked.tile_matrix_set ?? "WebMercatorQuad",
        column,
      ],
    });
    return rows[0]!.job;
  });
}
