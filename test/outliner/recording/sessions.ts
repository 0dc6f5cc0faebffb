import { Random } from "../../conformance/random.js";
import type { Writer } from "./writer.js";

/** A sitting at the outliner. */
export interface Session {
	readonly name: string;
	/** The session whose outline this one continues. Default: none; the outline is empty. */
	readonly after?: string;
	/** The number of tabs. Default 1. */
	readonly tabs?: number;
	/** In a text, each `{}` becomes a word that is nowhere else. */
	readonly run: (writer: Writer, other: Writer) => Promise<void>;
}

/** All sessions. One that continues another one comes after it. */
export const sessions: readonly Session[] = [
	{ name: "writing", run: write },
	{ name: "pasting", run: paste },
	{ name: "sorting", after: "writing", run: sort },
	{ name: "calendar", after: "writing", run: plan },
	{ name: "mirrors", after: "writing", run: mirror },
	{ name: "tabs", after: "writing", tabs: 2, run: writeInTwoTabs },
];

/** Writes lists of some depth, and then splits, joins, notes and completes. */
async function write(user: Writer): Promise<void> {
	await user.type("# Garden {}");
	await user.press("Enter");
	await user.rows("Beds of {}", "  [] Dig up {}");
	await user.press("Enter");
	await user.rows("Sow {} and {}");
	await user.press("Enter", "Backspace", "Shift+Tab");
	await user.rows("Ask Ada for {}", "Tools", "  Fork of {}", "  Rake {}");
	await user.press("Enter", "Shift+Tab");
	await user.rows("House {}", "  Paint **{}** room", "    Buy {} and {}", "  Old {} to sell", "Trips", "  Train to {}");
	await user.go("Buy");
	await user.press("Control+ArrowLeft", "Control+ArrowLeft", "Enter");
	await user.go("Buy");
	await user.press("Shift+Enter");
	await user.type("from {},");
	await user.press("Enter");
	await user.type("not {}");
	await user.press("Escape");
	await user.go("Rake");
	await user.press("Home", "Backspace");
	await user.type(", ");
	await user.go("Dig");
	await user.press("Control+Enter");
	await user.pause();
	await user.go("Trips");
	await user.press("Home", "Enter", "ArrowUp");
	await user.type("Books by {}");
	await user.pause();
	await user.press("Control+z", "Control+Shift+z");
}

const list = `- Party {}
  - [ ] Invite {} and {}
  - [x] Cake with {}
    - Eggs from {}
- Music by **{}**
  - {} on the drums
`;

const opml = `<?xml version="1.0"?>
<opml version="2.0"><head><title>Books</title></head><body>
<outline text="Novels {}"><outline text="One of {}" _note="by {}"/><outline text="Two of {}" _complete="true"/></outline>
<outline text="Poems {}"/>
</body></opml>`;

/** Pastes and imports lists, deletes and cuts what is selected, and goes far back and forth by undo. */
async function paste(user: Writer): Promise<void> {
	const times = async (count: number, ...keys: string[]) => {
		for (let time = 0; time < count; time++) {
			await user.pause();
			await user.press(...keys);
		}
	};
	await user.type("Plans {}");
	await user.press("Enter");
	await user.paste(list);
	await times(2, "Control+z");
	await times(2, "Control+Shift+z");
	await user.import("books.opml", opml);
	await user.go("Novels");
	await user.press("Control+ArrowDown");
	await user.go("Two of");
	await user.press("Enter");
	await user.paste("first {}\n\tbelow {}\nsecond {}");
	await user.go("Party");
	await user.press("Control+ArrowDown");
	await user.go("Invite");
	await user.select(2);
	await user.press("Backspace");
	await times(1, "Control+z");
	await user.go("Music");
	await user.press("Escape");
	await user.tab.copied("Control+x");
	await user.settled();
	await user.go("Poems");
	await user.press("Control+v");
	await user.go("Plans");
	await user.type(" for {} days");
	await times(4, "Control+z");
	await times(3, "Control+Shift+z");
	await user.go("Plans");
	await user.press("Control+d");
	await user.press("Control+d");
	await times(1, "Control+z");
	await user.go("One of");
	await user.press("Shift+Enter");
	await user.type(" in {} parts");
	await user.press("Escape", "Enter");
	await user.paste(list);
	await user.press("Enter");
	await user.type("Last {}");
	await times(3, "Control+z");
	await times(2, "Control+Shift+z");
	await user.go("Novels");
	await user.press("Control+Shift+Backspace");
	await times(1, "Control+z");
	await times(1, "Control+Shift+z");
	await times(1, "Control+z");
}

/** Moves rows about, mostly by keys, and now and then writes, completes or deletes one. */
async function sort(user: Writer): Promise<void> {
	const random = new Random(20);
	await user.go("Garden");
	await user.press("Control+Shift+ArrowDown");
	for (let turn = 0; turn < 70; turn++) {
		const count = (await user.tab.rows()).length;
		await user.goToRow(random.below(count));
		await user.pause(2);
		const selects = random.happens(0.2);
		if (selects) await user.select(1 + random.below(2));
		const move = random.pick(["Alt+Shift+ArrowUp", "Alt+Shift+ArrowDown", "Tab", "Shift+Tab"]);
		for (let time = 1 + random.below(3); time > 0; time--) await user.press(move);
		if (selects) await user.press("Escape");
		const chance = random.below(20);
		if (chance < 4) {
			await user.press("End");
			await user.type(" {}");
		} else if (chance < 6) await user.press("Control+Enter");
		else if (chance < 7) await user.press("Control+Shift+Backspace");
		else if (chance < 10) await user.press("Control+z");
		else if (chance < 11) {
			await user.press("End", "Enter");
			await user.type("New {}");
		}
	}
}

/** Writes into days and the inbox, moves a line to the next day, and gives nodes shortcuts. */
async function plan(user: Writer): Promise<void> {
	await user.press("Alt+Shift+t");
	await user.rows("[] Call {} at ten", "[] Write to {} and {}", "[] Mend the {}");
	await user.go("Call");
	await user.press("Control+Enter");
	await user.press("Alt+Shift+i");
	await user.rows("Idea of {}", "  because of {}", "Read {}");
	await user.press("Alt+Shift+c", "ArrowRight", "Enter");
	await user.rows("Lunch with {}", "Buy {}", "  in the {} shop");
	await user.press("Alt+Shift+t");
	await user.go("Mend");
	await user.press("Escape");
	await user.tab.copied("Control+x");
	await user.settled();
	await user.press("Alt+Shift+c", "ArrowRight", "Enter");
	await user.press("Control+v");
	await user.go("Lunch");
	await user.press("Alt+Shift+s");
	await user.type("lunch");
	await user.press("Enter", "Escape");
	await user.command("Next week");
	await user.rows("Week of {}", "  [] Plan {}");
	await user.press("Alt+Shift+ArrowUp", "Control+z", "Control+z", "Control+Shift+z");
	await user.command("Go to the top level");
	await user.go("House");
	await user.press("Alt+Shift+s");
	await user.type("work");
	await user.press("Enter", "Escape", "End");
	await user.type(" this {}");
	await user.press("Enter");
	await user.type("Rest {} on [2026-11-28] ");
	await user.press("Alt+Shift+t");
	await user.go("Write to");
	await user.press("Shift+Enter");
	await user.type("before {}");
	await user.press("Escape", "Control+Enter", "Control+Shift+Backspace", "Control+z");
	await user.pause();
	await user.press("Control+z", "Control+Shift+z");
	await user.command("Go to the top level");
	await user.go("Ask Ada");
	await user.press("Control+Shift+Backspace");
}

/** Mirrors nodes, writes in the mirrors and below them, and deletes mirrors and origins. */
async function mirror(user: Writer): Promise<void> {
	await user.go("Garden");
	await user.press("Control+Shift+ArrowDown");
	await user.go("Trips");
	await user.press("Control+Shift+ArrowDown");
	await user.go("Train");
	await user.press("Enter");
	await user.type("((");
	await user.choose("Beds of");
	await user.type(" near {}");
	await user.go("Train");
	await user.press("Enter");
	await user.type("((");
	await user.choose("Ask Ada");
	await user.type(" and {}");
	await user.go("Ask Ada");
	await user.type(" too");
	await user.go("Tools");
	await user.press("Alt+Shift+s");
	await user.type("work");
	await user.press("Enter", "Escape");
	await user.type(" with ((");
	await user.choose("House");
	await user.go("Beds", 2);
	await user.press("Control+ArrowDown", "Enter");
	await user.type("Water {}");
	await user.press("Alt+Shift+ArrowDown", "Alt+Shift+ArrowUp");
	await user.go("Beds", 1);
	await user.press("Control+d");
	await user.go("Ask Ada", 2);
	await user.command("Remove the mirror");
	await user.pause();
	await user.press("Control+z");
	await user.go("Beds", 1);
	await user.pause();
	await user.press("Control+Shift+Backspace");
	await user.go("Sow");
	await user.type(" in {}");
	await user.pause();
	await user.press("Control+z", "Control+z", "Control+Shift+z");
	await user.go("Tools");
	await user.press("Escape");
	await user.tab.copied("Control+c");
	await user.settled();
	await user.go("Trips");
	await user.press("Control+v");
	await user.press("Enter");
	await user.type("Map of {}");
	await user.press("Tab");
	await user.go("House", 1);
	await user.press("Control+Enter");
	await user.press("Control+ArrowDown");
	await user.go("Paint", 1);
	await user.type(", then the {} room");
	await user.press("Control+.", "Enter");
	await user.rows("Books for it:", "((");
	await user.choose("Books by");
	await user.type(" and {}");
	await user.press("Shift+Enter");
	await user.type("read {}");
	await user.press("Escape", "Alt+Shift+ArrowUp", "Alt+Shift+ArrowUp");
	await user.command("Go to the origin");
	await user.press("Escape", "Shift+ArrowUp", "Alt+Shift+ArrowDown");
	await user.go("House", 1);
	await user.pause();
	await user.press("Control+Shift+Backspace");
	await user.pause();
	await user.press("Control+z");
	await user.go("Train");
	await user.press("Control+Shift+Backspace");
}

/** Two tabs write in one outline: beside each other, in one row, and in rows that the other one deletes. */
async function writeInTwoTabs(one: Writer, two: Writer): Promise<void> {
	await one.go("Ask Ada");
	await two.go("House");
	for (let turn = 0; turn < 3; turn++) {
		await one.type(", {}");
		await two.type(" and {}");
	}
	await one.press("Enter");
	await one.type("Seeds {}");
	await two.go("Seeds");
	await two.press("Home");
	await two.type("Many ");
	await one.type(" of {}");
	await two.press("Control+Enter");
	await one.type(" more");
	await two.pause();
	await two.press("Control+z");
	await one.press("Control+z");
	await two.go("Garden");
	await two.press("Control+Shift+ArrowDown");
	await two.go("Fork");
	await one.press("Control+Shift+ArrowDown");
	await one.go("Tools");
	await two.type(" 2 {}");
	await one.press("Control+Shift+Backspace");
	await two.tab.page.getByRole("button", { name: "Put it back" }).click();
	await two.settled();
	await two.go("Fork");
	await two.type(" for {}");
	await one.press("Alt+Shift+t");
	await two.press("Alt+Shift+t");
	await one.rows("[] Today {}", "  with {}");
	await two.go("Today");
	await two.press("Control+Enter", "Enter");
	await two.type("Also {}");
	await one.press("Alt+Shift+ArrowUp");
	await two.press("Tab");
	await one.press("Control+z");
	await one.pause();
	await one.press("Control+z");
	await two.pause();
	await two.press("Control+z", "Control+Shift+z");
}
