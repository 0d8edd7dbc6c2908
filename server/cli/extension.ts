/** The extensions of a database. */
import type { Command } from "commander";
import { listing } from "./command.ts";

export function addExtensionCommands(program: Command): void {
  const extension = program.command("extension").description("extensions of the database");
  listing(
    extension.command("list").description("all extensions, with the versions that they can be updated to"),
    "select name, version, newer_version, schema, description from portolan.list_extensions()",
  );
}
