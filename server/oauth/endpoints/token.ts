/** `POST /api/v4/oauth`: the token endpoint (RFC 6749 §3.2). */
import { sendJson, type Step } from "../context.ts";
import { grantTokens } from "../oauthServer.ts";
import { authenticateClient } from "../steps/authenticateClient.ts";
import { checkGrantType } from "../steps/checkGrantType.ts";
import { chooseDatabase } from "../steps/chooseDatabase.ts";
import { readBody } from "../steps/readBody.ts";
import { rejectQuery } from "../steps/rejectQuery.ts";

const answer: Step = async (context) => {
  const { accessToken, lifetimeSeconds, refreshToken, scope = [], members } = await grantTokens(context);
  sendJson(context.response, 200, {
    access_token: accessToken,
    token_type: "Bearer",
    expires_in: lifetimeSeconds,
    ...(refreshToken !== undefined && { refresh_token: refreshToken }),
    scope: scope.join(" "),
    ...members,
  });
};

export const token: readonly Step[] = [
  rejectQuery,
  readBody,
  checkGrantType,
  chooseDatabase,
  authenticateClient,
  answer,
];
