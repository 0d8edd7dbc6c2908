import type { ReactNode } from "react";
import { useAccount } from "./hooks/useAccount.ts";

/** The service refuses its content to others; this says so without a request. */
export function ForSuperUsers({ children }: { readonly children: ReactNode }) {
  const { data: account } = useAccount();
  if (!account?.superUser) return <p className="empty">This is for super users, and {account?.sub} is not one.</p>;
  return children;
}
