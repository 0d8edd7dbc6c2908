/** `POST /api/v4/oauth/guest`: an access token of the database's default user, for everybody who uses the client. */
import { findDefaultUser } from "../../kernel/identity/tokens.ts";
import type { Step } from "../context.ts";
import { oauthError } from "../errors.ts";
import { count } from "../metrics.ts";
import { keepDocumentClient } from "../registration/documents.ts";
import { authenticateClient } from "../steps/authenticateClient.ts";
import { namedResource } from "../steps/checkResource.ts";
import { chooseDatabase } from "../steps/chooseDatabase.ts";
import { readProof, requireProof } from "../steps/proof.ts";
import { readBody } from "../steps/readBody.ts";
import { rejectQuery } from "../steps/rejectQuery.ts";
import { signTokens } from "../tokenAnswer.ts";
import { sendToken } from "./token.ts";

/** Guests share one authorization, which is for the service. */
const checkForService: Step = (context) => {
  if (namedResource(context))
    throw oauthError("invalid_target", "A guest token is for the service, not the agents' door");
};

const answer: Step = async (context) => {
  const { database, kernel, address } = context;
  const account = await findDefaultUser(database);
  count(kernel, "guests", { outcome: account ? "given" : "refused" });
  if (!account) throw oauthError("invalid_request", "This database has no default user, so it gives no guest tokens");
  await keepDocumentClient(context);
  const { client } = context;
  const { family } = await database.db.one<{ family: string }>(
    "select portolan.guest_family($1, $2, $3, $4, $5) as family",
    [client.id, account.name, account.tokenVersion, client.accessTokenLifetimeSeconds, address ?? null],
  );
  sendToken(context, await signTokens(context, { account, scope: "", family, refresh: null }));
};

export const guest: readonly Step[] = [
  rejectQuery,
  readBody,
  chooseDatabase,
  authenticateClient,
  readProof,
  requireProof,
  checkForService,
  answer,
];
