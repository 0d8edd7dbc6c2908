/** Access to one relation by programs: code to copy, addresses, and its type to download. */
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Fragment } from "react";
import { classicServices, shapeOf } from "../../service/maps.ts";
import type { Relation } from "../../service/rows/relations.ts";
import { tablesOf } from "../../service/tables/tables.ts";
import { OpenRelation } from "../../ui/relations.tsx";
import { CodeSamples } from "../../ui/code/CodeSamples.tsx";
import { CopyButton } from "../../ui/code/CopyButton.tsx";
import { saveAs } from "../../ui/saveAs.ts";
import { useAccount } from "../../ui/hooks/useAccount.ts";
import { addressesOf, readingSamples, typescriptOf, writingSamples } from "./samples.ts";
import { t } from "../../words/words.ts";

export function ApiPage() {
  return <OpenRelation>{(relation) => <ForPrograms relation={relation} />}</OpenRelation>;
}

function ForPrograms({ relation }: { readonly relation: Relation }) {
  const { schema, table, type } = relation;
  return (
    <section className="text api-page" aria-label={t("API of {table}", { table })}>
      <div className="head">
        <h1>{t("API of {table}", { table })}</h1>
        <span className="quiet">{t("{type} in GraphQL", { type })}</span>
        <span className="tools">
          <Link to="/data/$schema/$table" params={{ schema, table }}>
            {t("Its rows")}
          </Link>
        </span>
      </div>
      <p className="quiet">{t("A program sees what the account of its token may see, and no more.")}</p>
      <h2>{t("Read rows")}</h2>
      <CodeSamples label={t("Language")} samples={readingSamples(relation)} />
      {writingSamples(relation).map(({ what, samples }) => (
        <Fragment key={what}>
          <h2>{what}</h2>
          <CodeSamples label={t("Language, {what}", { what })} samples={samples} />
        </Fragment>
      ))}
      <h2>{t("The type of a row")}</h2>
      <p className="tools">
        <button
          type="button"
          onClick={() => saveAs(`${type}.ts`, new Blob([typescriptOf(relation)], { type: "text/plain" }))}
        >
          {t("Download {type}.ts", { type })}
        </button>
      </p>
      <pre tabIndex={0} role="region" aria-label={t("Type in TypeScript")}>
        {typescriptOf(relation)}
      </pre>
      <Addresses relation={relation} />
    </section>
  );
}

function Addresses({ relation }: { readonly relation: Relation }) {
  const { data: account } = useAccount();
  const { data: tables } = useQuery(tablesOf(relation.schema));
  const table = tables?.find(({ name }) => name === relation.table);
  const isShown = account !== undefined && account !== null && table !== undefined && shapeOf(table) !== undefined;
  const { data: classic = [] } = useQuery({
    ...classicServices(account?.database ?? "", relation.schema),
    enabled: isShown,
  });
  if (!isShown) return null;
  const programs: Readonly<Record<string, string>> = {
    WMS: t("WMS, for QGIS, ArcGIS and others"),
    WMTS: t("WMTS, for QGIS, ArcGIS and others"),
    WFS: t("WFS, for QGIS, ArcGIS and others"),
  };
  const addresses = [
    ...addressesOf(account.database, relation),
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
