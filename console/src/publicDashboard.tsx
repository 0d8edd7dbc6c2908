/** A public dashboard: a separate page, without an account and without the console around it. */
import { PublicDashboard } from "./areas/publicDashboard/PublicDashboard.tsx";
import { showPublic } from "./showPublic.tsx";

showPublic(<PublicDashboard />);
