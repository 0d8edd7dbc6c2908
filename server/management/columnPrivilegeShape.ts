/** The shape of privileges on single columns. `portolan.column_grants` checks the same in SQL. */
import { z } from "zod";

export const columnPrivilegeNames = z.array(z.enum(["select", "insert", "update"])).max(3);

/** Privileges by the column's name. */
export const columnPrivileges = z.record(z.string().min(1).max(63), columnPrivilegeNames);
