/** Signatures of proofs and assertions: by public keys, of which FAPI 2.0 takes the first two. */
export const PROOF_ALGORITHMS = ["ES256", "PS256", "RS256"] as const;
export type ProofAlgorithm = (typeof PROOF_ALGORITHMS)[number];
