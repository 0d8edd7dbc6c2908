/** Options of the gateway and plugins of the team's own, in one file, checked by the compiler. */
import type { PortolanOptions } from "portolan";

const portolan: PortolanOptions = { databases: { main: "postgres://login@localhost/main" }, maxLimit: 500 };

const preset: GraphileConfig.Preset = {
  plugins: [],
  portolan: { ...portolan, ogc: { mapCrs: "storage" }, corsOrigins: [], issuers: [] },
};

export default preset;

// @ts-expect-error an unknown option
export const misspelt: GraphileConfig.Preset = { portolan: { maxLimt: 500 } };
