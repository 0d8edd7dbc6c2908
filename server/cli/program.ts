/** The command line: one file for each noun. An action loads its code when it is called. */
import { Command } from "commander";
import { VERSION } from "../ground/packageDirectory.ts";
import { addBackupCommands } from "./backup.ts";
import { addClientCommands } from "./client.ts";
import { addCommentCommands } from "./comment.ts";
import { addCompletionCommand } from "./completion.ts";
import { addConfigurationCommands } from "./configuration.ts";
import { addDatabaseCommands } from "./database.ts";
import { addEventsCommands } from "./events.ts";
import { addExtensionCommands } from "./extension.ts";
import { addJobCommands } from "./jobs.ts";
import { addMethodCommands } from "./method.ts";
import { addPatternCommands } from "./pattern.ts";
import { addRequestCommands } from "./requests.ts";
import { addRoutesCommand } from "./routes.ts";
import { addReplaceCommand, addRowsCommand } from "./rows.ts";
import { addRuleCommands } from "./rule.ts";
import { addAgentCommands } from "./agent.ts";
import { addConsentCommands } from "./consent.ts";
import { addSessionCommands } from "./session.ts";
import { addStartCommand } from "./start.ts";
import { addStatementCommands } from "./statement.ts";
import { addSavedCommands } from "./saved.ts";
import { addDownloadCommands } from "./download.ts";
import { addTilesCommands } from "./tiles.ts";
import { addStyleCommands } from "./style.ts";
import { addFactorCommands } from "./factor.ts";
import { addIdentityCommands } from "./identity.ts";
import { addImportCommand } from "./import.ts";
import { addMcpCommands } from "./mcp.ts";
import { addTableCommands } from "./table.ts";
import { addTokenCommands } from "./token.ts";
import { addUserCommands } from "./user.ts";

/** All commands. To add one, add a file and its line here. */
const COMMANDS = [
  addStartCommand,
  addDatabaseCommands,
  addPatternCommands,
  addBackupCommands,
  addUserCommands,
  addClientCommands,
  addTokenCommands,
  addSessionCommands,
  addConsentCommands,
  addFactorCommands,
  addIdentityCommands,
  addAgentCommands,
  addTableCommands,
  addCommentCommands,
  addImportCommand,
  addRowsCommand,
  addReplaceCommand,
  addJobCommands,
  addStatementCommands,
  addExtensionCommands,
  addRequestCommands,
  addConfigurationCommands,
  addRuleCommands,
  addEventsCommands,
  addMethodCommands,
  addStyleCommands,
  addSavedCommands,
  addDownloadCommands,
  addTilesCommands,
  addMcpCommands,
  addRoutesCommand,
  addCompletionCommand,
];

/** The whole command line; tests walk through it. */
export function makeProgram(): Command {
  const program = new Command("portolan")
    .description("Serves a PostgreSQL/PostGIS database over GraphQL, OAuth 2.0, JSON-RPC and OGC API.")
    .version(VERSION)
    .showHelpAfterError()
    .enablePositionalOptions()
    .exitOverride();
  for (const add of COMMANDS) add(program);
  return program;
}
