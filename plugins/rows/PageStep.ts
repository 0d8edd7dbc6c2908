/** A page of rows in a plan: it reads one row more than the limit, to know whether there is a next page. */
import { pgClassExpression, TYPES } from "postgraphile/@dataplan/pg";
import { first, lambda, last, list, operationPlan, UnbatchedStep, type Step } from "postgraphile/grafast";
import type { SQL } from "postgraphile/pg-sql2";
import type { AnySelect } from "./listArguments.ts";
import type { PageQuery } from "./pageQuery.ts";
import type { AnyRecord } from "../tables/resources.ts";

type Rows = readonly unknown[];

/** The page itself; gives its rows, as selected, in the order of the list. */
export class PageStep extends UnbatchedStep<Rows> {
  static override $$export = { moduleName: "portolan", exportName: "PageStep" };
  override isSyncAndSafe = true;
  readonly #pageId: number;
  readonly #itemsId: number;
  /** The number of rows of the whole list. */
  readonly toTotal: () => Step<number>;

  constructor($rows: AnySelect, $page: Step<PageQuery>, toTotal: () => Step<number>) {
    super();
    this.toTotal = toTotal;
    this.#itemsId = this.addDependency($rows.items());
    this.#pageId = this.addDependency($page);
  }

  get $page(): Step<PageQuery> {
    return this.getDep(this.#pageId) as Step<PageQuery>;
  }

  get #rows(): AnySelect {
    return (this.getDep(this.#itemsId) as unknown as { getClassStep(): AnySelect }).getClassStep();
  }

  listItem($item: Step): AnyRecord {
    return this.#rows.listItem($item as never) as unknown as AnyRecord;
  }

  override unbatchedExecute(_extra: unknown, items: Rows, { limit, backwards }: PageQuery): Rows {
    const rows = items.slice(0, limit);
    return backwards ? rows.reverse() : rows;
  }

  /** The cursor of a row of the page. */
  cursorOf($row: AnyRecord): Step<string | null> {
    const { alias } = this.#rows;
    const { $page } = this;
    const $sql = operationPlan().withRootLayerPlan(() =>
      lambda($page, (page): SQL => page.cursorOf(page.textsOf(alias)), true),
    );
    return pgClassExpression($row, TYPES.text, true)`${$row.deferredSQL($sql)}` as Step<string | null>;
  }

  startCursor(): Step<string | null> {
    return this.cursorOf(this.listItem(first(this)));
  }

  endCursor(): Step<string | null> {
    return this.cursorOf(this.listItem(last(this)));
  }

  /** Whether there are rows beyond the end of the page, or before its beginning. */
  hasMore(side: "next" | "previous"): Step<boolean> {
    const $items = this.getDep(this.#itemsId) as Step<Rows>;
    return lambda(
      list([$items, this.$page]) as unknown as Step<readonly [Rows, PageQuery]>,
      ([items, { limit, backwards, isAfter, isBefore }]) => {
        const more = items.length > limit;
        return side === "next" ? isBefore || (more && !backwards) : isAfter || (more && backwards);
      },
      true,
    );
  }
}

/** The edges of a page: each is a row with a reference to its page. */
export class EdgesStep extends UnbatchedStep<Rows> {
  static override $$export = { moduleName: "portolan", exportName: "EdgesStep" };
  override isSyncAndSafe = true;

  constructor($page: PageStep) {
    super();
    this.addDependency($page);
  }

  listItem($item: Step): EdgeStep {
    const $page = this.getDep(0) as unknown as PageStep;
    return new EdgeStep($page, $item);
  }

  override unbatchedExecute(_extra: unknown, rows: Rows): Rows {
    return rows;
  }
}

export class EdgeStep extends UnbatchedStep {
  static override $$export = { moduleName: "portolan", exportName: "EdgeStep" };
  override isSyncAndSafe = true;
  readonly #page: PageStep;

  constructor($page: PageStep, $item: Step) {
    super();
    this.#page = $page;
    this.addDependency($item);
  }

  node(): AnyRecord {
    return this.#page.listItem(this.getDep(0));
  }

  cursor(): Step<string | null> {
    return this.#page.cursorOf(this.node());
  }

  override unbatchedExecute(_extra: unknown, item: unknown): unknown {
    return item;
  }
}
