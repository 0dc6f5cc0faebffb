import { useState } from "preact/hooks";
import { nodes } from "../text/count.js";
import { useWorkspace } from "../view/context.js";
import { type Exported, exportFile } from "./exporting.js";
import { fileFormats } from "./formats.js";

/** Exports the outline, or the visible part, to a file. */
export function ExportForm({ place }: { readonly place: string | undefined }) {
	const workspace = useWorkspace();
	const [chosen, choose] = useState(fileFormats[0]!);
	const [part, setPart] = useState<"all" | "shown">("all");
	const [outcome, setOutcome] = useState<Exported | { readonly error: string }>();
	const run = async (event: Event) => {
		event.preventDefault();
		try {
			setOutcome(await exportFile(workspace, chosen, part === "shown" ? workspace.root : null));
		} catch (error) {
			setOutcome({ error: error instanceof Error ? error.message : String(error) });
		}
	};
	return (
		<form onSubmit={(event) => void run(event)}>
			<fieldset>
				<legend class="unseen">Format</legend>
				{fileFormats
					.filter(({ format }) => format !== "text")
					.map((format) => (
						<label key={format.format}>
							<input type="radio" name="format" checked={format === chosen} onChange={() => choose(format)} />
							<span>
								<b>{format.label}</b> <small>{format.purpose}</small>
							</span>
						</label>
					))}
			</fieldset>
			{place !== undefined && (
				<fieldset class="part">
					<legend class="unseen">How much</legend>
					<label>
						<input type="radio" name="part" checked={part === "all"} onChange={() => setPart("all")} />
						<span>Everything</span>
					</label>
					<label>
						<input type="radio" name="part" checked={part === "shown"} onChange={() => setPart("shown")} />
						<span>Only “{place}”</span>
					</label>
				</fieldset>
			)}
			<button type="submit" class="main">
				Export
			</button>
			<div role="status" class="outcome">
				{outcome !== undefined &&
					("error" in outcome ? <p class="error">{outcome.error}</p> : <Outcome exported={outcome} />)}
			</div>
		</form>
	);
}

/** What the file has, and what its format can't store. */
function Outcome({ exported }: { readonly exported: Exported }) {
	const { isPartial, fileName, lost } = exported;
	return (
		<>
			{isPartial && <p class="error">The outline can’t be read. The file has only the rows that were on the page.</p>}
			<p>
				{nodes(exported.nodes)} in “{fileName}”.
				{lost.length === 0 ? " Nothing was left out." : " The format can’t store:"}
			</p>
			{lost.length > 0 && (
				<ul>
					{lost.map((loss) => (
						<li key={loss}>{loss}</li>
					))}
				</ul>
			)}
		</>
	);
}
