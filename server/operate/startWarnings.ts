/** Warnings before anything is opened. */
import { certificateFindings } from "./certificate.ts";
import type { Config } from "../kernel/config.ts";
import type { Log } from "../ground/log.ts";
import { rasterDirectoryFindings } from "./rasterDirectory.ts";

/** Warns about questionable settings, once for all processes. */
export function warnAtStart(config: Config, log: Log): void {
  for (const warning of config.warnings) log.warn(warning);
  for (const { ok, text } of [...certificateFindings(config), ...rasterDirectoryFindings(config)])
    if (!ok) log.warn(text);
}
