/** Accounts, clients, rules and rights over REST, `/api/v4/…`: thin calls of SQL functions under the caller's own role. */
import type { z } from "zod";
import type { Door } from "../kernel/door.ts";
import { sendText } from "../kernel/http/answer.ts";
import type { Kernel } from "../kernel.ts";
import { openapiDocument, type OpenapiPart } from "../kernel/rest/openapi.ts";
import { ROOT } from "../kernel/rest/resource.ts";
import { NO_STORE, restRoutes } from "../kernel/rest/routes.ts";
import { removeLeftovers } from "../ground/temporaryFolder.ts";
import { agentResources } from "./agents.ts";
import { commentResources } from "./comments.ts";
import { dashboards } from "./dashboards.ts";
import { classResources } from "./classes.ts";
import { clientResources, registrationTokenResources } from "./clients.ts";
import { codeOwnerResources } from "./codeOwners.ts";
import { columnPrivilegeResources } from "./columnPrivileges.ts";
import { consentResources } from "./consents.ts";
import { factorResources } from "./factors.ts";
import { identityResources } from "./identities.ts";
import { configurationResources } from "./configuration.ts";
import { accessResources } from "./explainAccess.ts";
import { extensionResources } from "./extensions.ts";
import { historyResources } from "./history.ts";
import { IMPORT_FOLDER } from "../formats/spooled.ts";
import { importResources } from "./import/imports.ts";
import { jobResources } from "./jobs.ts";
import { pyramidResources } from "./pyramids.ts";
import { maps } from "./maps.ts";
import { operationResources, type OperationOptions } from "./operation.ts";
import { queries } from "./queries.ts";
import { views } from "./views.ts";
import { rasterResources } from "./rasters.ts";
import { requestResources } from "./requests.ts";
import { ruleResources } from "./rules.ts";
import { schemaResources } from "./schemas.ts";
import { secretResources } from "./secrets.ts";
import { seeAsResources } from "./seeAs.ts";
import { sessionResources } from "./sessions.ts";
import { statementResources } from "./statements.ts";
import { tableResources, type TablesOptions } from "./tables.ts";
import { tableSettingResources } from "./tableSettings.ts";
import { tableStyleResources, type ReadStyle } from "./tableStyles.ts";
import { userResources } from "./users.ts";
import { workflowResources } from "./workflow.ts";

/** The parts that other doors contribute to this one. */
export interface ManagementOptions {
  /** Throws the fault of a raster's file. */
  checkRaster(file: string): Promise<void>;
  /** Reads a style of another program for a table. */
  readonly readStyle: ReadStyle;
  /** The shape of the methods of a configuration. */
  readonly configuredMethods: z.ZodType;
  /** Their findings about a database, for `/doctor`. */
  readonly findings: OperationOptions["findings"];
  /** The GraphQL names of a schema's tables. */
  readonly tableNames: TablesOptions["tableNames"];
  /** Their parts of the OpenAPI document. */
  readonly openapi: () => readonly OpenapiPart[];
}

export function installManagement(
  kernel: Kernel,
  { checkRaster, readStyle, configuredMethods, findings, tableNames, openapi }: ManagementOptions,
): Door {
  const { baseUrl, config } = kernel;
  removeLeftovers(IMPORT_FOLDER);
  /** In the order of the documentation. */
  const resources = [
    ...userResources,
    ...clientResources,
    ...registrationTokenResources,
    ...secretResources,
    ...sessionResources,
    ...consentResources,
    ...factorResources,
    ...identityResources,
    ...agentResources(() => kernel.requestLog.write()),
    ...ruleResources,
    ...accessResources,
    ...seeAsResources,
    ...tableResources({ tableNames }),
    ...schemaResources,
    ...tableSettingResources,
    ...columnPrivilegeResources,
    ...tableStyleResources(readStyle),
    ...codeOwnerResources,
    ...historyResources,
    ...commentResources,
    ...importResources,
    ...workflowResources,
    ...classResources,
    ...rasterResources(checkRaster),
    ...[maps, queries, dashboards, views].flatMap(({ resources }) => resources),
    ...jobResources,
    ...pyramidResources,
    ...configurationResources(configuredMethods),
    ...operationResources({ findings, schemas: config.schemas }),
    ...requestResources(() => kernel.requestLog.write()),
    ...statementResources,
    ...extensionResources,
  ];
  /** Made at the first request, because it takes a tenth of a second that the start need not wait for. */
  let document: string | undefined;
  const writeDocument = (): string =>
    JSON.stringify(
      openapiDocument([{ resources, paths: {} }, ...openapi()], {
        baseUrl,
        description: "GraphQL, accounts, clients, rights, stored methods, and sign-in by OAuth 2.0 and OpenID Connect.",
      }),
    );
  return {
    routes: [
      {
        path: `${ROOT}/openapi.json`,
        summary: "The description of this API (OpenAPI 3.1)",
        handlers: {
          GET: (_request, response) => sendText(response, (document ??= writeDocument()), { headers: NO_STORE }),
        },
      },
      ...restRoutes(kernel, resources, {
        service: "graphql", // as the rows of tables over REST: what rules say of it holds for them
        maxBodyBytes: config.maxBodyBytes,
        maxImportBytes: config.maxImportBytes,
        importTimeoutMs: config.importTimeoutMs,
      }),
    ],
  };
}
