/** Comments on rows. */
import type { Command } from "commander";
import { calling } from "./command.ts";
import { callingRows, listingRows } from "./rowsAs.ts";

export function addCommentCommands(program: Command): void {
  const comment = program.command("comment").description("comments on rows");
  callingRows(
    comment.command("add <table> <key> <text>").description("comment on a row"),
    "select portolan.add_comment($1::regclass, $2, $3)",
    (table, key) => `${key} of ${table} has the comment`,
  );
  listingRows(
    comment
      .command("list <table> [key]")
      .description("all comments on a row, oldest first; without a key the latest of the table"),
    "select id, key, author, created_at, changed_at, body from portolan.list_comments($1::regclass, $2, 1000)",
  );
  calling(
    comment.command("change <id> <text>").description("change the text of a comment"),
    "select portolan.change_comment($1::bigint, $2)",
    (id) => `the comment ${id} is changed`,
  );
  calling(
    comment.command("remove <id>").description("remove a comment"),
    "select portolan.drop_comment($1::bigint)",
    (id) => `the comment ${id} is removed`,
  );
}
