/** Common tasks of four kinds of user, in clicks and seconds: none takes more than it took before the console was made anew. */
import assert from "node:assert/strict";
import type { Locator, Page } from "playwright-core";
import { sized } from "../support/size.ts";
import { cell, site, write } from "./support.ts";

/** What a person does with a page: clicks and choices, and texts that are typed. */
class Hand {
  readonly page: Page;
  clicks = 0;
  typed = 0;

  constructor(page: Page) {
    this.page = page;
  }

  async click(target: Locator): Promise<void> {
    this.clicks++;
    await target.click();
  }

  button(name: string, within: Page | Locator = this.page): Promise<void> {
    return this.click(within.getByRole("button", { name, exact: true }));
  }

  link(name: string): Promise<void> {
    return this.click(this.page.getByRole("link", { name, exact: true }).first());
  }

  async choose(target: Locator, option: string): Promise<void> {
    this.clicks++;
    await target.selectOption(option);
  }

  async type(target: Locator, text: string): Promise<void> {
    this.typed++;
    await target.fill(text);
  }

  /** Clicks and a choice in the dialog of the system. */
  async file(name: string, text: string): Promise<void> {
    this.clicks += 2;
    const file = { name, mimeType: "text/plain", buffer: Buffer.from(text) };
    await this.page.getByLabel("File", { exact: true }).setInputFiles(file);
  }

  get dialog(): Locator {
    return this.page.getByRole("dialog");
  }

  labelled(label: string, within: Page | Locator = this.dialog): Locator {
    return within.getByLabel(label, { exact: true });
  }
}

interface Task {
  readonly title: string;
  /** Below `/console`. */
  readonly path: string;
  /** The clicks that it took in an earlier version of the console. */
  readonly most: number;
  /** The seconds that it took then, where they were counted. They are compared in the large form, on a quiet machine. */
  readonly seconds?: number;
  readonly run: (hand: Hand) => Promise<void>;
  /** What the database answers afterwards. Default: the page alone tells that it is done. */
  readonly done?: readonly [statement: string, rows: readonly object[]];
}

const POINT = '{"type": "Point", "coordinates": [11, 54]}';

const KINDS: Readonly<Record<string, readonly Task[]>> = {
  "a database administrator": [
    {
      title: "makes a table with a key, a foreign key, a spatial index and a comment",
      path: "",
      most: 30,
      seconds: 60,
      async run(hand) {
        await hand.link("Schema");
        await hand.button("New table");
        await hand.type(hand.labelled("Name"), "moorings");
        await hand.button("Add column", hand.dialog);
        const [second, third] = [2, 3].map((n) => hand.dialog.getByRole("group", { name: `Column ${n}` }));
        await hand.type(hand.labelled("Column", second), "country");
        await hand.choose(second!.getByLabel("Refers to"), "refers to countries (code)");
        await hand.button("Add column", hand.dialog);
        await hand.type(hand.labelled("Column", third), "geom");
        await hand.type(hand.labelled("Type", third), "geometry(Point,4326)");
        await hand.type(hand.dialog.getByLabel("Comment"), "Where ships lie");
        await hand.button("Create table", hand.dialog);
        await hand.page.getByRole("heading", { name: "moorings", level: 1 }).waitFor();
      },
      done: [
        `select obj_description('world.moorings'::regclass) as comment,
          (select count(*)::int from pg_constraint where conrelid = 'world.moorings'::regclass and contype in ('p', 'f')) as keys,
          (select count(*)::int from pg_indexes where tablename = 'moorings' and indexdef like '%gist%') as spatial`,
        [{ comment: "Where ships lie", keys: 2, spatial: 1 }],
      ],
    },
    {
      title: "grants a table",
      path: "/access/privileges",
      most: 1,
      async run(hand) {
        await hand.choose(hand.labelled("ann on cities", hand.page), "read");
        await hand.page.getByText("ann: read on cities").waitFor();
      },
      done: [
        "select has_table_privilege(role, 'world.cities', 'select') as reads from portolan.users where name = 'ann'",
        [{ reads: true }],
      ],
    },
    {
      title: "limits the rows of an account, and tries that before it is saved",
      path: "",
      most: 12,
      seconds: 20,
      async run(hand) {
        await hand.link("Access");
        await hand.link("Rules");
        await hand.button("Add a rule");
        await hand.choose(hand.labelled("Access"), "limit");
        await hand.type(hand.labelled("Filter"), "country_code = 'PT'");
        await hand.type(hand.labelled("Account"), "guest");
        await hand.type(hand.labelled("Table"), "cities");
        await hand.button("Add", hand.dialog);
        await hand.choose(hand.labelled("Account", hand.page), "guest");
        await hand.choose(hand.labelled("Table", hand.page), "cities");
        await hand.button("Try");
        await hand.page.getByRole("status").getByText("with these rules it would see 3 rows").waitFor();
        await hand.button("Save the rules");
        await hand.page.getByRole("button", { name: "Save the rules" }).waitFor({ state: "detached" });
      },
      done: ["select username, access from portolan.rules", [{ username: "guest", access: "limit" }]],
    },
    {
      title: "makes an account",
      path: "",
      most: 4,
      async run(hand) {
        await hand.link("Access");
        await hand.button("Add an account");
        await hand.type(hand.labelled("Name"), "bea");
        await hand.button("Add", hand.dialog);
        await hand.page.getByRole("rowheader", { name: "bea", exact: true }).waitFor();
      },
      done: ["select name from portolan.users where name = 'bea'", [{ name: "bea" }]],
    },
    {
      title: "reads who did what",
      path: "",
      most: 1,
      async run(hand) {
        await hand.link("Audit");
        await hand.page.getByRole("list", { name: "What was done" }).getByRole("listitem").first().waitFor();
      },
    },
  ],
  "an editor": [
    {
      title: "changes a cell",
      path: "/data/world/wells",
      most: 2,
      async run(hand) {
        hand.clicks += 2; // a double click
        await cell(hand.page, "1", 2).dblclick();
        await hand.type(hand.labelled("name", hand.page), "North well");
        await hand.page.keyboard.press("Enter");
        await hand.page.getByRole("group", { name: "Change name" }).waitFor({ state: "detached" });
        await cell(hand.page, "1", 2).getByText("North well").waitFor();
      },
      done: ["select name from world.wells where id = 1", [{ name: "North well" }]],
    },
    {
      title: "deletes a row, and takes that back",
      path: "/data/world/wells",
      most: 5,
      async run(hand) {
        await hand.click(hand.page.getByRole("checkbox", { name: "Choose row 2", exact: true }));
        await hand.button("Delete 1");
        await hand.button("Delete the row 2", hand.dialog);
        await hand.button("Undo");
        await cell(hand.page, "2", 2).waitFor();
      },
      done: ["select id from world.wells where id = 2", [{ id: 2 }]],
    },
    {
      title: "reads the life of a row",
      path: "/data/world/wells",
      most: 3,
      async run(hand) {
        await hand.click(hand.page.getByRole("checkbox", { name: "Choose row 1", exact: true }));
        await hand.click(hand.page.locator("a.button", { hasText: "History" }));
        await hand.dialog.getByText("by captain").first().waitFor();
      },
    },
    {
      title: "publishes what waits",
      path: "/workflow/world/notes?state=drafted",
      most: 3,
      async run(hand) {
        await hand.button("Choose all 1 shown");
        await hand.button("Publish 1");
        await hand.button("Publish 1 row", hand.dialog);
        await hand.page.getByRole("status").getByText("1 row: published.").waitFor();
      },
      done: ["select portolan_status as status from world.notes", [{ status: 3 }]],
    },
    {
      title: "draws a geometry among the layers of a map",
      path: "/maps/world/wells",
      most: 5,
      async run(hand) {
        await hand.button("Edit wells");
        await hand.button("Draw");
        await hand.click(hand.page.locator('[role="application"][aria-busy="false"]'));
        await hand.button("Save", hand.page.getByRole("region", { name: "Edit wells" }));
        await hand.page.getByText(/not saved/).waitFor({ state: "detached" });
      },
      done: ["select count(*)::int as n from world.wells where id > 2 and geom is not null", [{ n: 1 }]],
    },
  ],
  "a GIS analyst": [
    {
      title: "imports 5,000 rows of CSV into a table",
      path: "",
      most: 8,
      seconds: 4,
      async run(hand) {
        await hand.link("Data");
        await hand.link("depths");
        await hand.link("Import");
        const rows = Array.from({ length: 5000 }, (_, n) => `${n},${n / 10}\n`);
        await hand.file("depths.csv", `id,metres\n${rows.join("")}`);
        await hand.button("Import", hand.page.getByRole("main"));
        await hand.page.getByText("5,000 rows inserted into depths.").waitFor();
      },
      done: ["select count(*)::int, max(metres)::float8 from world.depths", [{ count: 5000, max: 499.9 }]],
    },
    {
      title: "imports a GeoJSON file as a new table",
      path: "/import/world",
      most: 4,
      seconds: 4,
      async run(hand) {
        await hand.file(
          "quays.geojson",
          `{"type": "FeatureCollection", "features": [{"type": "Feature", "properties": {"name": "A"}, "geometry": ${POINT}}]}`,
        );
        await hand.button("Make the table and import");
        await hand.page.getByText("1 row inserted into quays.").waitFor();
      },
      done: ["select name from world.quays", [{ name: "A" }]],
    },
    {
      title: "styles a layer",
      path: "/maps/world/cities",
      most: 4,
      seconds: 3,
      async run(hand) {
        await hand.button("Add a class");
        await hand.click(hand.page.locator(".class summary"));
        await hand.type(hand.labelled("Colour", hand.page), "#c0392b");
        await hand.button("Save the style");
        await hand.page.getByRole("button", { name: "Save the style", disabled: true }).waitFor();
      },
      done: [
        "select portolan.style_of('world.cities') -> 0 -> 'styles' -> 0 ->> 'color' as colour",
        [{ colour: "#c0392b" }],
      ],
    },
    {
      title: "sees a map at an instant of the past",
      path: "/history/world/wells",
      most: 3,
      async run(hand) {
        await hand.click(hand.page.getByRole("group", { name: "What to see" }).getByText("What changed"));
        await hand.page.getByRole("list", { name: "What changed" }).getByRole("listitem").first().waitFor();
      },
    },
    {
      title: "opens a table to everybody",
      path: "/schema/world/wells",
      most: 1,
      async run(hand) {
        await hand.click(hand.page.getByRole("checkbox", { name: "Open" }));
        await hand.page.getByRole("checkbox", { name: "Open", checked: true, disabled: false }).waitFor();
      },
      done: [
        `select has_table_privilege(role, 'world.wells', 'select') as "isOpen" from portolan.users where name = 'anonymous'`,
        [{ isOpen: true }],
      ],
    },
  ],
  "a developer": [
    {
      title: "explains a statement, stores it as a method and calls it",
      path: "/sql",
      most: 6,
      seconds: 10,
      async run(hand) {
        await write(hand.page, "select name from world.countries where code = 'PT'");
        await hand.button("Explain");
        await hand.page.getByRole("region", { name: "Plan" }).waitFor();
        await hand.button("Store as a method");
        await hand.type(hand.labelled("Name"), "portugal");
        await hand.button("Save method", hand.dialog);
        await hand.page.getByRole("heading", { name: "portugal" }).waitFor();
        await hand.button("Run");
        await hand.page.getByRole("cell", { name: "Portugal", exact: true }).waitFor();
      },
      done: ["select method from portolan.methods where method = 'portugal'", [{ method: "portugal" }]],
    },
    {
      title: "asks by GraphQL",
      path: "/graphql/world",
      most: 3,
      async run(hand) {
        await hand.click(hand.page.getByRole("textbox", { name: "Document" }));
        await hand.page.keyboard.press("Control+a");
        await hand.page.keyboard.press("Delete");
        await hand.page.keyboard.insertText('{ getCountries(where: {code: {eq: "PT"}}) { name } }');
        await hand.button("Run");
        await hand.page.getByRole("region", { name: "Answer" }).getByText('"Portugal"').waitFor();
      },
    },
    {
      title: "follows the changes of a table",
      path: "/events",
      most: 2,
      async run(hand) {
        await hand.link("countries");
        await hand.page.getByText("Following.").waitFor();
      },
    },
    {
      title: "copies the code of a call with a token",
      path: "/methods/portugal",
      most: 3,
      async run(hand) {
        await hand.click(hand.page.getByText("Call it from a program"));
        await hand.click(hand.page.getByLabel("With my token"));
        await hand.button("Copy TypeScript");
        await hand.page.getByRole("button", { name: "Copied" }).waitFor();
      },
    },
    {
      title: "takes the type of the rows of a table as a file",
      path: "/data/world/cities/api",
      most: 3,
      async run(hand) {
        const file = hand.page.waitForEvent("download");
        await hand.button("Download Cities.ts");
        assert.equal((await file).suggestedFilename(), "Cities.ts");
      },
    },
  ],
};

describe("common tasks at the console", () => {
  const at = site({
    prepare: ({ client, name }) =>
      client.query(`
create table world.wells (id int generated by default as identity primary key, name text, geom geometry(Point, 4326));
create table world.depths (id int primary key, metres numeric);
create table world.notes (id int primary key, body text);
select portolan.create_user('ann', null), portolan.enable_versioning('world.wells'), portolan.enable_workflow('world.notes');
insert into world.wells (name) values ('well 1'), ('well 2');
insert into world.notes (id, body) values (1, 'new');
update world.notes set portolan_status = -1 where id = 1;
alter table world.wells owner to "owner@${name}";
alter table world.depths owner to "owner@${name}";
alter table world.notes owner to "owner@${name}"`),
  });

  for (const [kind, tasks] of Object.entries(KINDS))
    for (const { title, path, most, seconds = Infinity, run, done } of tasks)
      it(`${kind} ${title}: at most ${most} ${most === 1 ? "click" : "clicks"}`, async () => {
        const visit = await at.visit(path);
        await visit.page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
        const hand = new Hand(visit.page);
        const began = performance.now();
        await run(hand);
        const took = (performance.now() - began) / 1000;
        assert.ok(hand.clicks <= most, `${hand.clicks} clicks, and ${hand.typed} texts`);
        assert.ok(took <= sized(Infinity, seconds), `${took.toFixed(1)} seconds`);
        if (done) assert.deepEqual(await at.rows(done[0]), done[1]);
        await visit.done();
      });
});
