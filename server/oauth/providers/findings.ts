import type { Finding } from "../../ground/finding.ts";
import type { Config } from "../../kernel/config.ts";
import { askProvider } from "./provider.ts";

/** For `portolan doctor`: whether each provider of the option `identityProviders` answers. */
export function providerFindings({ identityProviders }: Config): Promise<Finding[]> {
  const page = "company.md";
  return Promise.all(
    identityProviders.map(async (provider): Promise<Finding> => {
      const name = `the identity provider ${provider.id} (${provider.issuer})`;
      try {
        await askProvider(provider);
        return { ok: true, text: `${name} answers`, remedy: [], page };
      } catch (error) {
        const text = `${name} does not say how to sign in: ${(error as Error).message}`;
        const remedy = [
          "check the issuer in identityProviders, and the network to it: until then nobody can sign in with it",
        ];
        return { ok: false, severity: "warning", text, remedy, page };
      }
    }),
  );
}
