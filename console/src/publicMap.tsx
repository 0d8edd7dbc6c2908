/** A public map: a separate page, without an account and without the console around it. */
import { PublicMap } from "./areas/publicMap/PublicMap.tsx";
import { showPublic } from "./showPublic.tsx";

showPublic(<PublicMap />);
