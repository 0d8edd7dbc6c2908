/** `POST /api/v4/oauth`: the token endpoint (RFC 6749 §3.2). */
import { sendJson, type OAuthContext, type Step } from "../context.ts";
import { grantTokens } from "../oauthServer.ts";
import type { Token } from "../tokenAnswer.ts";
import { refuseDetails } from "../openid/request.ts";
import { authenticateClient } from "../steps/authenticateClient.ts";
import { checkGrantType } from "../steps/checkGrantType.ts";
import { chooseDatabase } from "../steps/chooseDatabase.ts";
import { readProof, requireProof } from "../steps/proof.ts";
import { readBody } from "../steps/readBody.ts";
import { rejectQuery } from "../steps/rejectQuery.ts";

const answer: Step = async (context) => sendToken(context, await grantTokens(context));

/** Answers with tokens (RFC 6749 §5.1). */
export function sendToken({ response, jkt }: OAuthContext, given: Token): void {
  const { accessToken, lifetimeSeconds, refreshToken, scope = [], members } = given;
  sendJson(response, 200, {
    access_token: accessToken,
    token_type: jkt === undefined ? "Bearer" : "DPoP",
    expires_in: lifetimeSeconds,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    scope: scope.join(" "),
    ...members,
  });
}

export const token: readonly Step[] = [
  rejectQuery,
  readBody,
  checkGrantType,
  chooseDatabase,
  authenticateClient,
  refuseDetails,
  readProof,
  requireProof,
  answer,
];
