/** Long work over REST: `/jobs`, as `portolan.jobs` has it. */
import { z } from "zod";
import { GatewayError } from "../ground/errors.ts";
import { taking, type Caller, type Parameters, type Resource } from "../kernel/rest/resource.ts";
import { rowsOf } from "../kernel/rest/rows.ts";

const shown = z
  .object({
    id: z.int(),
    kind: z.enum(["versioning", "end_versioning", "workflow", "events", "import", "download", "tiles"]),
    relation: z.string().meta({ description: "As SQL writes it" }),
    state: z.enum(["queued", "running", "stopped", "failed", "done"]),
    done: z.int().meta({ description: "Rows" }),
    total: z.int().meta({ description: "Rows; an estimate until it is done" }),
    started_by: z.string(),
    started: z.string().meta({ format: "date-time" }),
    updated: z.string().meta({ format: "date-time" }),
    error: z.string().nullable().meta({ description: "Why it failed, or why it waits" }),
  })
  .meta({ title: "Job" });

const DESCRIPTION =
  "Work that may take longer than a request: history, workflow and events of tables over 100,000 rows, which gateways and portolan jobs run do in portions; and imports of files.";
const OWN = "Super users see all jobs, other accounts the jobs that they have begun.";

export const jobResources: readonly Resource[] = [
  {
    path: "/jobs",
    tag: "jobs",
    parameters: {},
    operations: {
      GET: {
        id: "list_jobs",
        summary: "All jobs, latest first",
        description: `${DESCRIPTION} ${OWN}`,
        status: 200,
        shown: z.array(shown),
        run: async (caller) => ({ status: 200, body: await read(caller, null) }),
      },
    },
  },
  {
    path: "/jobs/{id}",
    tag: "jobs",
    parameters: { id: "Number of a job" },
    operations: {
      GET: {
        id: "get_job",
        summary: "One job",
        description: OWN,
        status: 200,
        shown,
        run: async (caller, parameters) => {
          const [job] = await read(caller, idOf(parameters));
          if (!job) throw new GatewayError("NOT_FOUND", `There is no job ${parameters["id"]}`);
          return { status: 200, body: job };
        },
      },
      PATCH: taking(z.strictObject({ state: z.enum(["queued", "stopped"]) }).meta({ title: "JobChange" }), {
        id: "update_job",
        summary: "Continue a job that was stopped or failed, or stop one",
        description: `Finished portions stay done. An import that is stopped has ended. ${OWN}`,
        status: 303,
        run: async (caller, parameters, { state }) => {
          const id = idOf(parameters);
          await change(caller, id, state);
          return { status: 303, location: `/jobs/${id}`, items: [{ path: `/jobs/${id}` }] };
        },
      }),
      DELETE: {
        id: "delete_job",
        summary: "Stop a job",
        description: `It ends after the present portion. Finished portions stay done, except those of an import, of which nothing is kept. ${OWN}`,
        status: 204,
        run: async (caller, parameters) => {
          await change(caller, idOf(parameters), "stopped");
          return { status: 204 };
        },
      },
    },
  },
];

/** Throws `NOT_FOUND` for text that is not the number of a job. */
function idOf({ id = "" }: Parameters): string {
  if (!/^[1-9]\d{0,17}$/.test(id)) throw new GatewayError("NOT_FOUND", `There is no job ${JSON.stringify(id)}`);
  return id;
}

function read(caller: Caller, id: string | null): Promise<readonly unknown[]> {
  return rowsOf(caller, "portolan.list_jobs($1)", [id]);
}

function change(caller: Caller, id: string, state: "queued" | "stopped"): Promise<unknown> {
  return caller.transact((transaction) =>
    transaction.query({ text: "select portolan.change_job($1, $2)", values: [id, state] }),
  );
}
