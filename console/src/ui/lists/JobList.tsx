/** Jobs with their progress, and buttons to stop or resume each. */
import { useQueryClient } from "@tanstack/react-query";
import { continueJob, isGoing, jobs, stopJob, type Job } from "../../service/jobs.ts";
import { ErrorNote } from "../ErrorNote.tsx";
import { useAttempt } from "../hooks/useAttempt.ts";
import { instant, ofService, t } from "../../words/words.ts";

const nameOf = ({ kind, relation }: Job): string =>
  ({
    versioning: t("history of {relation}", { relation }),
    end_versioning: t("end of the history of {relation}", { relation }),
    workflow: t("workflow of {relation}", { relation }),
    events: t("events of {relation}", { relation }),
    import: t("import into {relation}", { relation }),
    download: t("file of {relation}", { relation }),
    tiles: t("tiles of {relation}", { relation }),
  })[kind];

/** Kinds of jobs whose work is lost when they end early. */
const BEGUN_ANEW: ReadonlySet<Job["kind"]> = new Set(["import", "download"]);

export function JobList({ jobs: shown }: { readonly jobs: readonly Job[] }) {
  return (
    <ul className="parts" aria-label={t("Jobs")}>
      {shown.map((job) => (
        <JobItem key={job.id} job={job} />
      ))}
    </ul>
  );
}

function JobItem({ job }: { readonly job: Job }) {
  const { kind, state, done, total, started, started_by: by, error } = job;
  const client = useQueryClient();
  const attempt = useAttempt();
  const name = nameOf(job);
  const change = (act: (job: Job) => Promise<void>): void =>
    void attempt.run(async () => {
      await act(job);
      await client.invalidateQueries({ queryKey: jobs.queryKey });
    });
  return (
    <li className="tools">
      <strong>{name}</strong>
      {isGoing(job) && (
        <progress aria-label={t("How far is the {name}", { name })} max={Math.max(total, 1)} value={done} />
      )}
      <span>
        {isGoing(job)
          ? t("{state}, {done} of about {total} rows", { state: ofService(state), done, total })
          : t("{state}, {done} rows", { state: ofService(state), done })}
      </span>
      <span className="quiet">{t("{when} by {account}", { when: instant(started), account: by })}</span>
      {isGoing(job) && (
        <button
          type="button"
          aria-disabled={attempt.isBusy}
          aria-label={t("Stop the {name}", { name })}
          onClick={() => change(stopJob)}
        >
          {t("Stop")}
        </button>
      )}
      {!BEGUN_ANEW.has(kind) && (state === "stopped" || state === "failed") && (
        <button
          type="button"
          aria-disabled={attempt.isBusy}
          aria-label={t("Continue the {name}", { name })}
          onClick={() => change(continueJob)}
        >
          {t("Continue")}
        </button>
      )}
      {error !== null && <span className="failed">{error}</span>}
      <ErrorNote error={attempt.error} />
    </li>
  );
}
