/** Jobs, which take longer than a request may: the running and the finished ones. */
import { useQuery } from "@tanstack/react-query";
import { jobs } from "../../service/jobs.ts";
import { JobList } from "../../ui/lists/JobList.tsx";
import { Part } from "./Part.tsx";
import { t } from "../../words/words.ts";

/** The number of shown jobs. `portolan jobs list` has older ones. */
const MOST = 10;

export function Jobs() {
  const query = useQuery(jobs);
  return (
    <Part
      id="jobs"
      title={t("Jobs")}
      hint={t("imports, and history, workflow and events of large tables")}
      query={query}
    >
      {query.data?.length === 0 && <p className="quiet">{t("No jobs yet.")}</p>}
      <JobList jobs={query.data?.slice(0, MOST) ?? []} />
    </Part>
  );
}
