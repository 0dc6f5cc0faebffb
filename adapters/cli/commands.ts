import type { Command } from "./command.ts";
import { add } from "./commands/add.ts";
import { agenda } from "./commands/agenda.ts";
import { backup } from "./commands/backup.ts";
import { completion } from "./commands/completion.ts";
import { listConflicts, resolveConflict } from "./commands/conflicts.ts";
import { deleteCommand } from "./commands/delete.ts";
import { done } from "./commands/done.ts";
import { edit } from "./commands/edit.ts";
import { exportCommand } from "./commands/export.ts";
import { help } from "./commands/help.ts";
import { importCommand } from "./commands/import.ts";
import { addKey, listKeys, revokeKey } from "./commands/keys.ts";
import { list } from "./commands/list.ts";
import { mcp } from "./commands/mcp.ts";
import { mirror } from "./commands/mirror.ts";
import { move } from "./commands/move.ts";
import { search } from "./commands/search.ts";
import { serve } from "./commands/serve.ts";
import { deleteShortcut, listShortcuts, setShortcut } from "./commands/shortcuts.ts";
import { stats } from "./commands/stats.ts";
import { sync } from "./commands/sync.ts";
import { today } from "./commands/today.ts";
import { redo, undo } from "./commands/undo.ts";
import { repair, verify } from "./commands/verify.ts";

/** All commands, in the order of the help. */
export const commands: readonly Command[] = [
	...[add, list, today, agenda, search],
	...[edit, move, mirror, done, deleteCommand, undo, redo, listShortcuts, setShortcut, deleteShortcut],
	...[serve, addKey, listKeys, revokeKey, sync, listConflicts, resolveConflict, mcp],
	...[exportCommand, importCommand, backup, verify, repair, stats],
	...[completion, help],
];
