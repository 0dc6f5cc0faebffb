import "./dialogs.css";
import "./picker.css";
import "./key-list.css";
import "./calendar.css";
import "./shortcuts.css";
import "./menu.css";
import { FilesDialog } from "../files/files-dialog.js";
import { ServerDialog } from "../server/server-dialog.js";
import { SidebarDialog } from "../sidebar/sidebar.js";
import { TrashDialog } from "../trash/trash-dialog.js";
import { useWorkspace } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import { CalendarDialog } from "./calendar.js";
import { DateDialog } from "./date.js";
import { KeysDialog } from "./key-list.js";
import { LinkDialog } from "./link.js";
import { MenuDialog } from "./menu.js";
import { MirrorDialog } from "./mirror.js";
import { PaletteDialog } from "./palette.js";
import { PlacesDialog } from "./places.js";
import { SaveSearchDialog } from "./save-search.js";
import { SearchDialog } from "./search.js";
import { SendDialog } from "./send.js";
import { ShortcutsDialog } from "./shortcuts.js";

const none: readonly File[] = [];

/** The open panel over the outline. */
export function Dialogs() {
	const { dialog } = useWorkspace();
	const open = useLive(dialog);
	switch (open?.type) {
		case "search":
			return <SearchDialog />;
		case "palette":
			return <PaletteDialog />;
		case "calendar":
			return <CalendarDialog />;
		case "shortcuts":
			return <ShortcutsDialog />;
		case "keys":
			return <KeysDialog />;
		case "save-search":
			return <SaveSearchDialog />;
		case "sidebar":
			return <SidebarDialog />;
		case "server":
			return <ServerDialog />;
		case "trash":
			return <TrashDialog />;
		case "mirror":
			return <MirrorDialog rowKey={open.key} />;
		case "link":
			return <LinkDialog />;
		case "date":
			return <DateDialog />;
		case "menu":
			return <MenuDialog at={open.at} />;
		case "send":
			return <SendDialog mirrors={open.mirrors} />;
		case "files":
			return <FilesDialog section={open.section} files={open.files ?? none} />;
		case "places":
			return <PlacesDialog id={open.id} />;
		default:
			return null;
	}
}
