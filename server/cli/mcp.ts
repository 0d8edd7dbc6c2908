import { Argument, type Command } from "commander";
import { OperatorError } from "../ground/errors.ts";
import { print, withDatabase } from "./command.ts";
import { chooseDatabase, type DatabaseOption } from "./databases.ts";

interface Server {
  readonly name: string;
  readonly url: string;
  readonly token: string | undefined;
}

/** The configuration of each client: a command, or the text of its file. */
const CLIENTS: Readonly<Record<string, (server: Server) => string>> = {
  "claude-code": ({ name, url, token }) =>
    `claude mcp add --transport http ${name} ${url}${token === undefined ? "" : ` --header "Authorization: Bearer ${token}"`}`,
  "claude-desktop": ({ name, url, token }) => {
    const header = token === undefined ? [] : ["--header", `Authorization: Bearer ${token}`];
    const server = { command: "npx", args: ["mcp-remote", url, ...header] };
    return file("claude_desktop_config.json", { mcpServers: { [name]: server } });
  },
  vscode: ({ name, url, token }) =>
    `code --add-mcp '${JSON.stringify({ name, type: "http", url, ...headersOf(token) })}'`,
  cursor: ({ name, url, token }) =>
    file("~/.cursor/mcp.json", { mcpServers: { [name]: { url, ...headersOf(token) } } }),
  inspector: ({ url, token }) =>
    `npx @modelcontextprotocol/inspector --cli ${url} --transport http --method tools/list${
      token === undefined ? "" : ` --header "Authorization: Bearer ${token}"`
    }`,
};

function headersOf(token: string | undefined): object {
  return token === undefined ? {} : { headers: { Authorization: `Bearer ${token}` } };
}

function file(name: string, content: object): string {
  return `# ${name}\n${JSON.stringify(content, undefined, 2)}`;
}

export function addMcpCommands(program: Command): void {
  const mcp = program.command("mcp").description("the agents' door (Model Context Protocol)");
  withDatabase(
    mcp
      .command("install")
      .description("print how a client connects: a command, or the text of its file")
      .addArgument(new Argument("<client>", "the client").choices(Object.keys(CLIENTS))),
  )
    .option("--token <token>", "for a client that does not sign in by itself: the output of portolan token --agent")
    .action(async (client: string, { token, ...options }: DatabaseOption & { token?: string }) => {
      const { agentsResource } = await import("../kernel/identity/resources.ts");
      const { baseUrl, guessed, name } = await chooseDatabase(options);
      if (token !== undefined && !/^[A-Za-z0-9._~+/=-]+$/.test(token))
        throw new OperatorError("--token: is not an access token");
      if (guessed) process.stderr.write(`for the service at ${baseUrl}: set BASE_URL if it has another address\n`);
      const safe = name.replaceAll(/[^A-Za-z0-9_-]/g, "-");
      print(CLIENTS[client]!({ name: `portolan-${safe}`, url: agentsResource(baseUrl, name), token }));
    });
}
