/** Access to one relation by programs: code to copy, addresses, and its type to download. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment, useState } from "react";
import { classicServices, shapeOf } from "../../service/maps.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { OpenRelation } from "../../ui/relations.tsx";
import { CodeSamples } from "../../ui/code/CodeSamples.tsx";
import { CopyButton } from "../../ui/code/CopyButton.tsx";
import { saveAs } from "../../ui/saveAs.ts";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { addressesOf, pythonOf, readings, typescriptOf, writingSamples, type Reading } from "./samples.ts";
import { t } from "../../words/words.ts";

export function ApiPage() {
  return <OpenRelation>{(relation) => <ForPrograms relation={relation} />}</OpenRelation>;
}

function ForPrograms({ relation }: { readonly relation: Relation }) {
  const { schema, table, type } = relation;
  const types = { ts: typescriptOf(relation), py: pythonOf(relation) };
  return (
    <section className="text api-page" aria-label={t("API of {table}", { table })}>
      <div className="head">
        <h1>{t("API of {table}", { table })}</h1>
        <span className="quiet">{t("{type} in GraphQL", { type })}</span>
        <span className="tools">
          <Link to="/data/$schema/$table" params={{ schema, table }}>
            {t("Rows")}
          </Link>
        </span>
      </div>
      <p className="quiet">{t("A program sees what the account of its token may see, and no more.")}</p>
      <h2>{t("Read rows")}</h2>
      <Read relation={relation} />
      {writingSamples(relation).map(({ what, samples }) => (
        <Fragment key={what}>
          <h2>{what}</h2>
          <CodeSamples label={t("Language, {what}", { what })} samples={samples} />
        </Fragment>
      ))}
      <h2>{t("The type of a row")}</h2>
      <p className="tools">
        {Object.entries(types).map(([ending, text]) => (
          <button
            key={ending}
            type="button"
            onClick={() => saveAs(`${type}.${ending}`, new Blob([text], { type: "text/plain" }))}
          >
            {t("Download {type}.{ending}", { type, ending })}
          </button>
        ))}
      </p>
      <CodeSamples
        label={t("Type")}
        samples={[
          { name: "TypeScript", code: types.ts },
          { name: "Python", code: types.py },
        ]}
      />
      <Addresses relation={relation} />
    </section>
  );
}

/** The same rows by each interface of the service. */
function Read({ relation }: { readonly relation: Relation }) {
  const database = useCollection(relation);
  const [name, setName] = useState<Reading["name"]>("GraphQL");
  const all = readings(relation, database);
  const chosen = all.find((each) => each.name === name) ?? all[0]!;
  return (
    <>
      <div className="tools" role="group" aria-label={t("Interface")}>
        {all.map((each) => (
          <button
            key={each.name}
            type="button"
            aria-pressed={each.name === chosen.name}
            onClick={() => setName(each.name)}
          >
            {each.name}
          </button>
        ))}
      </div>
      <p className="quiet">{chosen.about}</p>
      <CodeSamples key={chosen.name} label={t("Language")} samples={chosen.samples} />
    </>
  );
}

/** The database of a relation that is a collection of the OGC API; undefined for others. */
function useCollection({ schema, table: name }: Relation): string | undefined {
  const { data: account } = useAccount();
  const { data: tables } = useQuery(tablesOf(schema));
  const table = tables?.find((each) => each.name === name);
  return table && shapeOf(table) !== undefined ? account?.database : undefined;
}

function Addresses({ relation }: { readonly relation: Relation }) {
  const database = useCollection(relation);
  const { data: classic = [] } = useQuery({
    ...classicServices(database ?? "", relation.schema),
    enabled: database !== undefined,
  });
  if (database === undefined) return null;
  const programs: Readonly<Record<string, string>> = {
    WMS: t("WMS, for QGIS, ArcGIS and others"),
    WMTS: t("WMTS, for QGIS, ArcGIS and others"),
    WFS: t("WFS, for QGIS, ArcGIS and others"),
  };
  const addresses = [
    ...addressesOf(database, relation),
    ...classic.map(({ title, href }) => ({ what: programs[title] ?? title, url: href })),
  ];
  return (
    <>
      <h2>{t("Maps and features")}</h2>
      <ul className="sessions" aria-label={t("Addresses")}>
        {addresses.map(({ what, url }) => (
          <li key={what}>
            <span className="what">
              {what} <code className="quiet">{url}</code>
            </span>
            <CopyButton text={url} title={t("Copy: {what}", { what })} />
          </li>
        ))}
      </ul>
    </>
  );
}
