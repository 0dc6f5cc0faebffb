import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Editor } from "../workspace/editor.js";
import type { Workspace } from "../workspace/workspace.js";

export const EditorContext = createContext<Editor | undefined>(undefined);

/** What runs commands. */
export function useEditor(): Editor {
	return useContext(EditorContext)!;
}

/** What this tab has open. */
export function useWorkspace(): Workspace {
	return useEditor().workspace;
}
