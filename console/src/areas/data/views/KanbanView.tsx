/** The rows in lanes by a value. Moving a card to another lane sets its value. */
import { useQueries, useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { MOST_LANES, readLanes, whereLane } from "../../../service/rows/lanes.ts";
import type { Column } from "../../../service/rows/relations.ts";
import { countRows, readPage, type Row, type Value } from "../../../service/rows/rows.ts";
import { toChoice } from "../../../service/rows/gridSearch.ts";
import { rowsText } from "../../../service/rows/useRows.ts";
import { ErrorNote } from "../../../ui/ErrorNote.tsx";
import { useAttempt } from "../../../ui/hooks/useAttempt.ts";
import type { OtherViewProps } from "./viewProps.ts";
import { fieldsOf, labelOf, othersOf, textOf } from "./useView.ts";
import { number, t } from "../../../words/words.ts";

/** The number of columns on a card. */
const MOST = 2;

interface Lane {
  readonly value: Value;
  readonly name: string;
  readonly rows: readonly Row[];
  readonly count: number;
}

export function KanbanView(props: OtherViewProps) {
  const { relation, search } = props;
  const { group } = fieldsOf("kanban", relation, search.fields);
  return group ? <Board {...props} group={group} /> : <p className="empty">{t("No column makes a board.")}</p>;
}

function Board({ group, ...props }: OtherViewProps & { readonly group: Column }) {
  const { relation, titles, search, onWrite } = props;
  const { error, run, clear } = useAttempt();
  const [dragged, setDragged] = useState<Row>();
  const { lanes, isCut, failure } = useLanes(props, group);
  const move = onWrite && group.canUpdate ? onWrite : undefined;
  const { label } = fieldsOf("kanban", relation, search.fields);
  const others = othersOf(relation, search.look, label).filter((column) => column !== group);

  function put(row: Row, { value }: Lane): void {
    setDragged(undefined);
    if (move && row.values[group.name] !== value) void run(() => move(row, group, value));
  }

  return (
    <div className="kanban-view">
      <ErrorNote error={error ?? failure} onClose={clear} />
      {isCut && (
        <p className="quiet">
          {t("{name} has more than {most} values; these are the first. Use a filter for others.", {
            name: group.name,
            most: MOST_LANES,
          })}
        </p>
      )}
      <div className="lanes" tabIndex={0} role="group" aria-label={t("Board by {name}", { name: group.name })}>
        {lanes.map((lane) => (
          <section
            key={lane.name}
            aria-label={lane.name}
            className={dragged && dragged.values[group.name] !== lane.value ? "lane target" : "lane"}
            onDragOver={(event) => dragged && event.preventDefault()}
            onDrop={() => dragged && put(dragged, lane)}
          >
            <h2>
              {lane.name} <span className="quiet">{number(lane.count)}</span>
            </h2>
            {lane.rows.map((row) => (
              <LaneCard
                key={row.key ?? JSON.stringify(row.values)}
                row={row}
                name={labelOf(label, row, titles)}
                lane={lane.name}
                lanes={lanes}
                onPut={move && ((to) => put(row, to))}
                onDrag={setDragged}
                onOpen={() => props.onOpen(row)}
              >
                {others.slice(0, MOST).map((column) => (
                  <div key={column.name}>
                    <dt>{column.name}</dt>
                    <dd>{textOf(column, row.values[column.name], titles)}</dd>
                  </div>
                ))}
              </LaneCard>
            ))}
            {lane.count > lane.rows.length && (
              <p className="quiet">
                {t("The first {rows} of {count}.", { rows: rowsText(lane.rows.length), count: lane.count })}
              </p>
            )}
          </section>
        ))}
      </div>
    </div>
  );
}

interface LaneCardProps {
  readonly row: Row;
  readonly name: string;
  /** The name of its lane. */
  readonly lane: string;
  readonly lanes: readonly Lane[];
  /** Undefined where the account may not move the card. */
  readonly onPut: ((to: Lane) => void) | undefined;
  readonly onDrag: (row: Row | undefined) => void;
  readonly onOpen: () => void;
  readonly children: ReactNode;
}

function LaneCard({ row, name, lane, lanes, onPut, onDrag, onOpen, children }: LaneCardProps) {
  return (
    <article
      className="row-card"
      draggable={onPut !== undefined}
      onDragStart={(event) => {
        event.dataTransfer.setData("text/plain", row.key ?? "");
        onDrag(row);
      }}
      onDragEnd={() => onDrag(undefined)}
    >
      <button type="button" className="plain" onClick={onOpen}>
        {name}
      </button>
      <dl>{children}</dl>
      {onPut && (
        <select
          aria-label={t("Move {name} to", { name })}
          value={lane}
          onChange={({ target }) => onPut(lanes.find((each) => each.name === target.value)!)}
        >
          {lanes.map((each) => (
            <option key={each.name}>{each.name}</option>
          ))}
        </select>
      )}
    </article>
  );
}

function useLanes({ relation, titles, search }: OtherViewProps, group: Column) {
  const { where, sort } = toChoice(search);
  const { schema, type } = relation;
  const values = useQuery({
    queryKey: ["rows", schema, type, "lanes", group.name, where],
    queryFn: ({ signal }) => readLanes(relation, group, where, signal),
  });
  const shown = (values.data ?? []).slice(0, MOST_LANES + 1);
  const found = useQueries({
    queries: shown.map((value) => ({
      queryKey: ["rows", schema, type, "lane", group.name, value, where, sort],
      queryFn: async ({ signal }: { readonly signal: AbortSignal }) => {
        const choice = { where: whereLane(where, group, value), sort };
        const { rows, next } = await readPage(relation, choice, { offset: 0 }, signal);
        return { rows, count: next ? await countRows(schema, relation, choice, signal) : rows.length };
      },
    })),
  });
  const lanes = shown.flatMap((value, index): readonly Lane[] => {
    const data = found[index]?.data;
    return data ? [{ value, name: textOf(group, value, titles), ...data }] : [];
  });
  return {
    lanes,
    isCut: shown.length > MOST_LANES,
    failure: values.error ?? found.find(({ error }) => error)?.error ?? null,
  };
}
