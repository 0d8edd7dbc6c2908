/** The instances that now serve this database: host, version, and their delay with events. */
import { useQuery } from "@tanstack/react-query";
import { gateways, type Gateway } from "../../service/operation.ts";
import { ScrolledTable } from "../../ui/lists/ScrolledTable.tsx";
import { Part } from "./Part.tsx";
import { number, plural, t } from "../../words/words.ts";

export function Gateways() {
  const query = useQuery(gateways);
  const { data } = query;
  const versions = new Set(data?.map(({ version }) => version));
  return (
    <Part
      id="gateways"
      title={t("Gateways")}
      hint={versions.size > 1 ? t("of {count} versions", { count: versions.size }) : t("that serve this database now")}
      query={query}
    >
      {data?.length === 0 && <p className="quiet">{t("No gateway has reported yet.")}</p>}
      {data && data.length > 0 && (
        <ScrolledTable
          label={t("Who serves")}
          titles={[t("Host"), t("Process"), t("Version"), t("Events"), t("Lag"), t("Subscriptions"), t("Sockets")]}
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
        {reader ? t("reads their order") : t("follows")}
        {judges !== null && judges.length > 0 && (
          <details>
            <summary>{plural(judges.length, "judges {count} group for all", "judges {count} groups for all")}</summary>
            <ul>
              {judges.map((group) => (
                <li key={group}>{group}</li>
              ))}
            </ul>
          </details>
        )}
      </td>
      <td>{lag === 0 ? t("no") : `${number(lag)} ms`}</td>
      <td>{number(subscriptions)}</td>
      <td>{number(sockets)}</td>
    </tr>
  );
}
