/** LockFeature and GetFeatureWithLock (OGC 09-025r2 §12, §13). Both are refused, since features cannot be locked. */
import { exception } from "../exception.ts";
import type { OwsExchange } from "../exchange.ts";

export async function refuseLocks(_exchange: OwsExchange): Promise<void> {
  await Promise.reject(
    exception(
      "OperationNotSupported",
      "Locks are not supported: a transaction is all or nothing, and If-Match refuses a change of a feature that was changed meanwhile",
      "request",
    ),
  );
}
