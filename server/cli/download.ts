/** Files that were made of collections. */
import type { Command } from "commander";
import { calling, listing } from "./command.ts";

export function addDownloadCommands(program: Command): void {
  const download = program.command("download").description("files of collections that accounts requested for download");
  listing(
    download.command("list").description("all files that are kept or being made, latest first"),
    "select id, job, account, collection, format, state, rows, bytes, expires, error from portolan.list_downloads()",
  );
  calling(
    download.command("remove <id>").description("remove a file, or stop making it"),
    "select portolan.drop_download($1)",
    (id) => `the download ${id} is removed`,
  );
}
