/** Signatures of proofs and assertions: by public keys. */
export const PROOF_ALGORITHMS = ["ES256", "PS256", "RS256"] as const;
export type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number];

/** The algorithms that a client may use. FAPI 2.0 Security Profile §5.4.1 allows ES256 and PS256. */
export function proofAlgorithmsOf(isFapi2: boolean): readonly ProofAlgorithm[] {
  return isFapi2 ? PROOF_ALGORITHMS.filter((one) => one !== "RS256") : PROOF_ALGORITHMS;
}
