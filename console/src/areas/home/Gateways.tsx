/** The gateways that serve this database now: host, version, and how far each is behind with events. */
import { useQuery } from "@tanstack/react-query";
import { gateways, type Gateway } from "../../service/operation.ts";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { Part } from "./Part.tsx";

export function Gateways() {
  const query = useQuery(gateways);
  const { data } = query;
  const versions = new Set(data?.map(({ version }) => version));
  return (
    <Part
      id="gateways"
      title="Gateways"
      hint={versions.size > 1 ? `of ${versions.size} versions` : "that serve this database now"}
      query={query}
    >
      {data?.length === 0 && <p className="quiet">No gateway has reported yet.</p>}
      {data && data.length > 0 && (
        <ScrolledTable
          label="Who serves"
          titles={["Host", "Process", "Version", "Events", "Lag", "Subscriptions", "Sockets"]}
        >
          {data.map((gateway) => (
            <Row key={`${gateway.host} ${gateway.process}`} gateway={gateway} />
          ))}
        </ScrolledTable>
      )}
    </Part>
  );
}

function Row({ gateway }: { readonly gateway: Gateway }) {
  const { host, process, version, reader, judges, lag_ms: lag, subscriptions, sockets } = gateway;
  return (
    <tr>
      <th scope="row">{host}</th>
      <td>{process}</td>
      <td>{version}</td>
      <td>
        {reader ? "reads their order" : "follows"}
        {judges !== null && judges.length > 0 && (
          <details>
            <summary>
              judges {judges.length.toLocaleString()} {judges.length === 1 ? "group" : "groups"} for all
            </summary>
            <ul>
              {judges.map((group) => (
                <li key={group}>{group}</li>
              ))}
            </ul>
          </details>
        )}
      </td>
      <td>{lag === 0 ? "no" : `${lag.toLocaleString()} ms`}</td>
      <td>{subscriptions.toLocaleString()}</td>
      <td>{sockets.toLocaleString()}</td>
    </tr>
  );
}
