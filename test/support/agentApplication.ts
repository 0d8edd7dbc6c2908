/** An application with the official client of the Model Context Protocol, which signs a person in. */
import type { OAuthClientProvider } from "@modelcontextprotocol/client";
import { REDIRECT_URI } from "../oauth/support.ts";

type Stored<Of extends keyof OAuthClientProvider> = Awaited<
  ReturnType<Extract<OAuthClientProvider[Of], (...given: never[]) => unknown>>
>;

/** What the official client asks its application to keep, and where it sends the person. */
export class Application implements OAuthClientProvider {
  readonly redirectUrl = REDIRECT_URI;
  readonly clientMetadata: OAuthClientProvider["clientMetadata"];
  information: Stored<"clientInformation">;
  kept: Stored<"tokens">;
  sentTo: URL | undefined;
  discovered: Stored<"discoveryState">;
  #verifier = "";

  constructor(scope?: string) {
    this.clientMetadata = {
      client_name: "Test",
      redirect_uris: [REDIRECT_URI],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      token_endpoint_auth_method: "none",
      ...(scope !== undefined && { scope }),
    };
  }

  clientInformation() {
    return this.information;
  }
  saveClientInformation(information: Application["information"]): void {
    this.information = information;
  }
  tokens() {
    return this.kept;
  }
  saveTokens(tokens: Application["kept"]): void {
    this.kept = tokens;
  }
  redirectToAuthorization(url: URL): void {
    this.sentTo = url;
  }
  saveCodeVerifier(verifier: string): void {
    this.#verifier = verifier;
  }
  codeVerifier(): string {
    return this.#verifier;
  }
  saveDiscoveryState(state: NonNullable<Application["discovered"]>): void {
    this.discovered = state;
  }
  discoveryState() {
    return this.discovered;
  }
}
