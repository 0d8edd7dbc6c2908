/** Jobs, how far each is, and stopping one or letting it go on. */
import { useQueryClient } from "@tanstack/react-query";
import { continueJob, isGoing, jobs, stopJob, type Job } from "../../service/jobs.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";

const KINDS: Readonly<Record<Job["kind"], string>> = {
  versioning: "history of",
  end_versioning: "end of the history of",
  workflow: "workflow of",
  events: "events of",
  import: "import into",
  download: "file of",
  tiles: "tiles of",
};

/** Kinds of which nothing is left when they end before they are done. */
const BEGUN_ANEW: ReadonlySet<Job["kind"]> = new Set(["import", "download"]);

export function JobList({ jobs: shown }: { readonly jobs: readonly Job[] }) {
  return (
    <ul className="parts" aria-label="Jobs">
      {shown.map((job) => (
        <JobItem key={job.id} job={job} />
      ))}
    </ul>
  );
}

function JobItem({ job }: { readonly job: Job }) {
  const { kind, relation, state, done, total, started, started_by: by, error } = job;
  const client = useQueryClient();
  const attempt = useAttempt();
  const name = `${KINDS[kind]} ${relation}`;
  const change = (act: (job: Job) => Promise<void>): void =>
    void attempt.run(async () => {
      await act(job);
      await client.invalidateQueries({ queryKey: jobs.queryKey });
    });
  return (
    <li className="tools">
      <strong>{name}</strong>
      {isGoing(job) && <progress aria-label={`How far is the ${name}`} max={Math.max(total, 1)} value={done} />}
      <span>
        {state}, {done.toLocaleString()} {isGoing(job) && `of about ${total.toLocaleString()} `}rows
      </span>
      <span className="quiet">
        {new Date(started).toLocaleString()} by {by}
      </span>
      {isGoing(job) && (
        <button
          type="button"
          aria-disabled={attempt.isBusy}
          aria-label={`Stop the ${name}`}
          onClick={() => change(stopJob)}
        >
          Stop
        </button>
      )}
      {!BEGUN_ANEW.has(kind) && (state === "stopped" || state === "failed") && (
        <button
          type="button"
          aria-disabled={attempt.isBusy}
          aria-label={`Continue the ${name}`}
          onClick={() => change(continueJob)}
        >
          Continue
        </button>
      )}
      {error !== null && <span className="failed">{error}</span>}
      <ErrorNote error={attempt.error} />
    </li>
  );
}
