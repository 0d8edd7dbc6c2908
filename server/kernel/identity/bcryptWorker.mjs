// JavaScript, since a thread starts from a file by its name, built or not.
import { parentPort } from "node:worker_threads";
import { compareSync } from "bcryptjs";

parentPort?.on("message", ({ id, password, hash }) => {
  let right = false;
  try {
    right = compareSync(password, hash);
  } catch {
    // an unreadable hash matches no password
  }
  parentPort.postMessage({ id, right });
});
