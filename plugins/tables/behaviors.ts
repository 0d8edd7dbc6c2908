/**
 * The behaviours of tables, columns and relations. Upstream reads all registered behaviours for each question, and all
 * columns to find one. Here an answer is kept for all things with the same text of behaviours.
 */
import type { AnyCodec } from "./resources.ts";

type Entities = GraphileBuild.BehaviorEntities;
type Filter = keyof GraphileBuild.BehaviorStrings;
type Build = Pick<GraphileBuild.Build, "behavior">;

/** The answers by the behaviours of a build. */
const answers = new WeakMap<object, Map<string, boolean>>();
/** The texts by codec and column name. */
const columns = new WeakMap<AnyCodec, Map<string, string>>();

/** Whether a table, a function or a relation has a behaviour. */
export function behaves<Type extends keyof Entities>(
  { behavior }: Build,
  type: Type,
  entity: Entities[Type],
  filter: Filter,
): boolean {
  const text = behavior.getBehaviorForEntity(type, entity).behaviorString;
  return matches(behavior, { type, entity, text }, filter);
}

interface Described<Type extends keyof Entities> {
  readonly type: Type;
  readonly entity: Entities[Type];
  /** Its behaviours. */
  readonly text: string;
}

function matches<Type extends keyof Entities>(
  behavior: Build["behavior"],
  { type, entity, text }: Described<Type>,
  filter: Filter,
): boolean {
  let known = answers.get(behavior);
  if (!known) answers.set(behavior, (known = new Map<string, boolean>()));
  const question = `${type} ${filter} ${text}`;
  let answer = known.get(question);
  if (answer === undefined) known.set(question, (answer = Boolean(behavior.entityMatches(type, entity, filter))));
  return answer;
}

/** Whether a column has a behaviour. */
export function columnBehaves(build: Build, codec: AnyCodec, column: string, filter: Filter): boolean {
  let texts = columns.get(codec);
  if (!texts) columns.set(codec, (texts = new Map<string, string>()));
  const entity = [codec, column] as const as unknown as Entities["pgCodecAttribute"];
  let text = texts.get(column);
  if (text === undefined)
    texts.set(column, (text = build.behavior.getBehaviorForEntity("pgCodecAttribute", entity).behaviorString));
  return matches(build.behavior, { type: "pgCodecAttribute", entity, text }, filter);
}
