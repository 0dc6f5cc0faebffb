/** Lets the user choose a backup. */
export function RestoreButton({ onChoose }: { readonly onChoose: (file: File) => void }) {
	const choose = () => {
		const chooser = document.createElement("input");
		Object.assign(chooser, { type: "file", accept: ".json,.jsonl" });
		chooser.addEventListener("change", () => {
			const [file] = chooser.files ?? [];
			if (file !== undefined) onChoose(file);
		});
		chooser.click();
	};
	return (
		<button type="button" class="main" onClick={choose}>
			Restore a backup…
		</button>
	);
}
