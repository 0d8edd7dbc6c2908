import { useQuery, useQueryClient } from "@tanstack/react-query";
import { claimsOf, signInEnd, token, type Claims } from "../../service/http/session.ts";

/** The signed-in account, or the one whose sign-in has ended; null for none. */
export function useAccount() {
  const client = useQueryClient();
  return useQuery({
    queryKey: ["account"],
    queryFn: async (): Promise<Claims | null> => {
      const bearer = await token();
      if (bearer !== undefined) return claimsOf(bearer);
      return signInEnd.hasCome() ? (client.getQueryData<Claims | null>(["account"]) ?? null) : null;
    },
  });
}
