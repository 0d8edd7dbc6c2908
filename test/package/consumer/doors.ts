/** An application that mounts the doors, as its compiler sees them. */
import { createServer } from "node:http";
import { allDoors, openPortolan } from "portolan/express";

const portolan = await openPortolan({ databaseUrl: "postgres://login@localhost/main", baseUrl: "http://localhost" });
const doors = allDoors(portolan);
createServer((request, response) => doors(request, response, () => response.end())).on("upgrade", portolan.upgrade);
