import "./dialogs/dialogs.css";
import "./dialogs/picker.css";
import "./dialogs/key-list.css";
import "./dialogs/calendar.css";
import "./dialogs/shortcuts.css";
import "./dialogs/menu.css";
import { CalendarDialog } from "./dialogs/calendar.js";
import { DateDialog } from "./dialogs/date.js";
import { KeysDialog } from "./dialogs/key-list.js";
import { LinkDialog } from "./dialogs/link.js";
import { MenuDialog } from "./dialogs/menu.js";
import { MirrorDialog } from "./dialogs/mirror.js";
import { PaletteDialog } from "./dialogs/palette.js";
import { PlacesDialog } from "./dialogs/places.js";
import { SaveSearchDialog } from "./dialogs/save-search.js";
import { SearchDialog } from "./dialogs/search.js";
import { SendDialog } from "./dialogs/send.js";
import { ShortcutsDialog } from "./dialogs/shortcuts.js";
import { FilesDialog } from "./files/files-dialog.js";
import { ServerDialog } from "./server/server-dialog.js";
import { SidebarDialog } from "./sidebar/sidebar.js";
import { TrashDialog } from "./trash/trash-dialog.js";
import { useWorkspace } from "./view/context.js";
import { useLive } from "./view/rendering.js";

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
