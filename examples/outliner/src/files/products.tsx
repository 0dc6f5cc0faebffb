/** The products that people move in from: where each exports, and the file to take. */
const products: readonly (readonly [product: string, way: string])[] = [
	["Workflowy", "Open the menu of the page or of a bullet, choose Export, and take the OPML."],
	["Dynalist", "Open the menu of the document, choose Export, and take the OPML."],
	["Logseq", "Take the Markdown files in the folders “pages” and “journals”. Journals go to their days."],
	["Markdown", "Take .md files of any editor, such as Obsidian. You can choose many at once."],
	["This outliner", "Take a JSON file of an export or a backup. It has everything."],
];

/** Tells the way to a file, product by product. */
export function Products() {
	return (
		<dl class="products">
			{products.map(([product, way]) => (
				<div key={product}>
					<dt>{product}</dt>
					<dd>{way}</dd>
				</div>
			))}
		</dl>
	);
}
