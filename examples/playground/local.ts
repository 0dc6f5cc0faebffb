import { Outline } from "outlinekit";
import { createMemoryStorage } from "outlinekit/memory";
import { showCall } from "./panel.ts";
import { recorded } from "./recorded.ts";

const inMemory = new Outline({ storage: createMemoryStorage(), history: { groupWithin: 1000 } });
await inMemory.import(
	"# Trip to Oslo\n\n- [ ] book the ferry\n- [ ] pack\n\n# Read\n\n- [x] the tutorial\n- the guides",
	{
		format: "markdown",
	},
);

/** The outline of the page. The panel shows each call. */
export const outline = recorded(inMemory, showCall);
