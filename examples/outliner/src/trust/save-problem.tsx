import "./trust.css";
import { useLayoutEffect, useState } from "preact/hooks";
import { codeOf } from "../text/error-code.js";
import { useWorkspace } from "../view/context.js";
import { useLive } from "../view/rendering.js";
import { withoutAccess } from "../workspace/faults.js";

/** The message while typed text can't be saved. */
export function SaveProblem() {
	const { saves, dialog } = useWorkspace();
	const state = useLive(saves.state);
	// While it is tried again, it is still so.
	const [problem, setProblem] = useState<unknown>();
	useLayoutEffect(() => {
		if (typeof state === "object") setProblem(state.failed);
		else if (state === "saved") setProblem(undefined);
	}, [state]);
	if (problem === undefined) return null;
	const isOut = codeOf(problem) === "storage_unavailable";
	return (
		<div class="save-problem" role="alert">
			<p>
				<b>Your last changes aren’t saved</b>, and stay here only as long as this page is open. {reasonOf(problem)}
			</p>
			<div>
				<button type="button" onClick={() => dialog.set({ type: "files", section: "export" })}>
					{isOut ? "Export what is on the page" : "Export now"}
				</button>
				<button type="button" onClick={() => saves.retry()}>
					Try again
				</button>
				{isOut && (
					<button type="button" onClick={() => location.reload()}>
						Reload
					</button>
				)}
			</div>
		</div>
	);
}

const whatWhenFull =
	"There is no room left for the outline in this browser. Delete files or the data of other pages, and try again.";

function reasonOf(problem: unknown): string {
	const code = codeOf(problem);
	if (code === "quota_exceeded") return whatWhenFull;
	if (code === "storage_unavailable") return `${withoutAccess} Export what is on the page, then reload the page.`;
	return problem instanceof Error ? problem.message : String(problem);
}
