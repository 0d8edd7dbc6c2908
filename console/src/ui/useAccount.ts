import { useQuery } from "@tanstack/react-query";
import { claimsOf, token, type Claims } from "../service/session.ts";

/** Whoever is signed in; null: nobody. */
export function useAccount() {
  return useQuery({
    queryKey: ["account"],
    queryFn: async (): Promise<Claims | null> => {
      const bearer = await token();
      return bearer === undefined ? null : claimsOf(bearer);
    },
  });
}
