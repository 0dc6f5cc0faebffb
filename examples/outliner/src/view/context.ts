import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Editor } from "../commands/editor.js";
import type { Workspace } from "../workspace/workspace.js";

export const EditorContext = createContext<Editor | undefined>(undefined);

/** The editor, which runs commands. */
export function useEditor(): Editor {
	return useContext(EditorContext)!;
}

/** The state of this tab. */
export function useWorkspace(): Workspace {
	return useEditor().workspace;
}
