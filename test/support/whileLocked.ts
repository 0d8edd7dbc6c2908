import type pg from "pg";

/** Runs `work` while another session, which `locker` is, holds a lock. `lock`: a statement that takes it. */
export async function whileLocked<T>(locker: pg.Client, lock: string, work: () => Promise<T>): Promise<T> {
  await locker.query(`begin; ${lock}`);
  try {
    return await work();
  } finally {
    await locker.query("rollback");
  }
}
