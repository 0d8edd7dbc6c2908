/** Ways through change events: one statement writes every row of the table, and what is delivered of it is what is seen. */
import type { Received, SocketClient } from "../../support/webSocket.ts";
import { byId, picked, seen, Busy, BOX_CONDITION, type Doors, type Question, type Way } from "./way.ts";
import type { Relation } from "./world.ts";

type Records = readonly Readonly<Record<string, unknown>>[];

/** A table of one row that every account may see. */
const BELL = "open.bell";

type Tables = Readonly<Record<string, Readonly<Record<string, { readonly full_data: Records }>>>>;
const rowsIn = ({ batch }: Received, relation: string): Records =>
  Object.values(batch as Tables)[0]![relation]!.full_data;

interface Subscription {
  readonly name: string;
  message(question: Question): object;
  /** The rows of a message. */
  rowsOf(message: Received, question: Question): Records;
}

/** A filter of events takes no geometry. */
const conditionOf = ({ condition }: Question) =>
  condition === BOX_CONDITION ? { sql: "true", where: {} } : { sql: condition.sql, where: condition.where };

const SUBSCRIPTIONS: readonly Subscription[] = [
  {
    name: "events",
    message: (q) => ({
      type: "subscription",
      rel: q.relation.name,
      columns: q.columns,
      where: conditionOf(q).where,
    }),
    rowsOf: (message, { relation }) => rowsIn(message, relation.name),
  },
  {
    name: "GraphQL subscription",
    message: (q) => ({
      type: "subscribe",
      schema: q.relation.schema,
      query: `subscription ($where: JSON) { ${fieldOf(q.relation)}(where: $where) { ${q.columns.join(" ")} } }`,
      variables: { where: conditionOf(q).where },
    }),
    rowsOf: ({ data }, { relation }) => (data as Record<string, Records>)[fieldOf(relation)]!,
  },
];

const fieldOf = ({ table }: Relation): string => `${table.charAt(0).toUpperCase()}${table.slice(1)}MessageUpdated`;

/** The socket of a subscription, or "refused". */
async function subscribed(q: Question, doors: Doors, message: object): Promise<SocketClient | "refused"> {
  if (q.account.name === "anonymous") return "refused"; // a socket needs a token
  const socket = await doors.socket(q.account);
  const answer = await socket.ask({ ...message, id: "it" });
  if (answer.type !== "error") return socket;
  socket.close();
  const text = JSON.stringify(answer);
  // a filter by a column that the account may not select is told as one by a column that is not there
  if (answer["error"] === "NOT_ALLOWED" || text.includes("where: there is no column")) return "refused";
  if (["UNAVAILABLE", "ACCOUNT_BUSY", "TIMEOUT"].includes(String(answer["error"]))) throw new Busy(text);
  throw new Error(text);
}

/** Writes every row of the table, as it is, and then twice the bell. Gives whether a message is of the last of these. */
async function write(
  socket: SocketClient,
  { relation }: Question,
  doors: Doors,
): Promise<(message: Received) => boolean> {
  await socket.ask({ type: "subscription", id: "bell", rel: BELL });
  await doors.query(`update ${relation.name} set n = n`);
  await doors.query(`update ${BELL} set n = n + 1`);
  const [bell] = await doors.query(`update ${BELL} set n = n + 1 returning n`);
  return (message) =>
    message.id === "bell" && rowsIn(message, BELL).some((row) => Number(row["n"]) >= Number(bell!["n"]));
}

/** The rows of the first transaction that is delivered; none if a message comes before it that `isLast`. */
async function delivered(
  socket: SocketClient,
  q: Question,
  subscription: Subscription,
  isLast: (message: Received) => boolean,
): Promise<Records | "refused"> {
  const rows: Records[number][] = [];
  for (;;) {
    const message = await socket.take((each) => each.id === "it" || isLast(each));
    if (message.id === "bell") return rows;
    if (message.type === "error") return "refused"; // the right was taken a moment ago
    rows.push(...subscription.rowsOf(message, q));
    if (!message["more"]) return rows;
  }
}

export const EVENT_WAYS: readonly Way[] = SUBSCRIPTIONS.map((subscription) => ({
  name: subscription.name,
  takes: ({ isVersioned, isView, hasWorkflow, isWritten }) => !isVersioned && !isView && !hasWorkflow && !isWritten,
  async expect(q, truth) {
    const found = await seen({ service: "events", condition: (of) => conditionOf(of).sql }, q, truth);
    return found === "refused" ? found : byId(found.rows.map((row) => picked(row, q.columns)));
  },
  async ask(q, doors, expected) {
    const socket = await subscribed(q, doors, subscription.message(q));
    if (socket === "refused") return socket;
    try {
      const isLast = await write(socket, q, doors);
      const isSome = Array.isArray(expected) && expected.length > 0; // events of two tables come in no order
      const rows = await delivered(socket, q, subscription, isSome ? () => false : isLast);
      return rows === "refused" ? rows : byId(rows.map((row) => picked(row, q.columns)));
    } finally {
      socket.close();
    }
  },
}));
