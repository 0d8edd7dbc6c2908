/** The proof of a key at the token endpoint and the endpoint for pushed requests (RFC 9449 §5, §10.1). */
import { verifyProof, makeNonce, ProofError } from "../../kernel/identity/dpop.ts";
import { setHeaders } from "../../kernel/http/answer.ts";
import { isFapi2 } from "../clients.ts";
import { oauthError } from "../errors.ts";
import { count } from "../metrics.ts";
import type { OAuthContext, Step } from "../context.ts";

/** A client shows the key to which its tokens are to be bound, if any. Throws `invalid_dpop_proof`, `use_dpop_nonce`. */
export const readProof: Step = async (context) => {
  const { request, database, kernel, response, client } = context;
  const proof = request.headers["dpop"];
  if (proof === undefined) return;
  try {
    if (typeof proof !== "string" || proof.includes(",")) throw new ProofError("There must be one header DPoP");
    context.jkt = await verifyProof(database, proof, {
      method: request.method ?? "",
      url: kernel.baseUrl + (request.url ?? "").split("?", 1)[0],
      needsNonce: kernel.config.dpopNonces,
      isFapi2: isFapi2(client),
    });
    count(kernel, "proofs", { outcome: "accepted" });
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    count(kernel, "proofs", { outcome: "refused" });
    if (error.code === "use_dpop_nonce") setHeaders(response, { "DPoP-Nonce": await makeNonce(database) });
    throw oauthError(error.code, error.message);
  }
};

/** Requires a proof from a client that gets only tokens bound to a key. */
export const requireProof: Step = ({ client, jkt }) => {
  if (client.dpopBound && jkt === undefined)
    throw oauthError(
      "invalid_request",
      "The client gets only tokens that are bound to a key; the header DPoP is missing",
    );
};

/** Throws `invalid_grant` where the code or token is bound to another key. */
export function checkKey({ jkt }: OAuthContext, bound: string | undefined): void {
  if (bound !== undefined && bound !== jkt)
    throw oauthError(
      "invalid_grant",
      jkt === undefined ? "A proof of the key is missing" : "The proof is of another key",
    );
}
