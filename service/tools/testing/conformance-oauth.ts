import {
  Client,
  type OAuthClientProvider,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from "@modelcontextprotocol/client";

const CALLBACK = "http://localhost:3000/callback";
/** An authorization that is refused this often is given up. */
const MAX_AUTHORIZATIONS = 2;

/** A customer at a browser, for servers that redirect back at once. */
function createProvider(known: StoredOAuthClientInformation | undefined) {
  let client = known;
  let tokens: StoredOAuthTokens | undefined;
  let verifier = "";
  let answer: URLSearchParams | undefined;
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    ...(known ? {} : { clientMetadataUrl: "https://conformance-test.local/client-metadata.json" }),
    clientMetadata: {
      client_name: "parley",
      redirect_uris: [CALLBACK],
      grant_types: ["authorization_code", "refresh_token"],
      response_types: ["code"],
      application_type: "native",
    },
    clientInformation: () => client,
    saveClientInformation: (information) => {
      client = information;
    },
    tokens: () => tokens,
    saveTokens: (given) => {
      tokens = given;
    },
    async redirectToAuthorization(url) {
      const response = await fetch(url, { redirect: "manual" });
      answer = URL.parse(response.headers.get("location") ?? "")?.searchParams;
    },
    saveCodeVerifier: (given) => {
      verifier = given;
    },
    codeVerifier: () => verifier,
  };
  return {
    provider,
    takeAnswer: () => {
      const taken = answer;
      answer = undefined;
      return taken;
    },
  };
}

/** Lists and calls the tools of a server that asks for OAuth, which the product itself does not offer. */
export async function callWithOAuth(
  url: string,
  known: StoredOAuthClientInformation | undefined,
): Promise<void> {
  const { provider, takeAnswer } = createProvider(known);
  let authorizations = 0;
  let transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
  const authorized = async <T>(run: () => Promise<T>): Promise<T> => {
    try {
      return await run();
    } catch (error) {
      const answer = takeAnswer();
      authorizations += 1;
      if (!UnauthorizedError.isInstance(error) || !answer || authorizations > MAX_AUTHORIZATIONS) throw error;
      await transport.finishAuth(answer);
      return authorized(run);
    }
  };
  const client = await authorized(async () => {
    const next = new Client({ name: "parley", version: "1" }, { versionNegotiation: { mode: "auto" } });
    transport = new StreamableHTTPClientTransport(new URL(url), { authProvider: provider });
    await next.connect(transport);
    return next;
  });
  const { tools } = await authorized(() => client.listTools());
  for (const { name } of tools) await authorized(() => client.callTool({ name, arguments: {} }));
  await client.close();
}
