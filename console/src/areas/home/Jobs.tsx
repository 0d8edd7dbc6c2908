/** Jobs, which take longer than a request may: the running and the finished ones. */
import { useQuery } from "@tanstack/react-query";
import { jobs } from "../../service/jobs.ts";
import { JobList } from "../../ui/lists/JobList.tsx";
import { Part } from "./Part.tsx";

/** Older ones are told of by `portolan jobs list`. */
const MOST = 10;

export function Jobs() {
  const query = useQuery(jobs);
  return (
    <Part id="jobs" title="Jobs" hint="imports, and history, workflow and events of large tables" query={query}>
      {query.data?.length === 0 && <p className="quiet">No jobs yet.</p>}
      <JobList jobs={query.data?.slice(0, MOST) ?? []} />
    </Part>
  );
}
