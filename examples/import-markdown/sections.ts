/** A heading with the text up to the next one. */
export interface Section {
	/** 1 to 6; 0 for what comes before the first heading. */
	readonly level: number;
	/** Exactly as in the file, with the heading. */
	readonly text: string;
}

/** Cuts a Markdown file at its headings. A `#` within a fence is none. */
export function sectionsOf(markdown: string): Section[] {
	const sections: { level: number; lines: string[] }[] = [{ level: 0, lines: [] }];
	let fence: string | null = null;
	for (const line of markdown.split(/\r\n|\r|\n/)) {
		const marker = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
		if (fence === null) fence = marker ?? null;
		else if (marker?.startsWith(fence) && line.trim() === marker) fence = null;
		const heading = fence === null ? /^ {0,3}(#{1,6})(?:[ \t]|$)/.exec(line) : null;
		if (heading !== null) sections.push({ level: heading[1]!.length, lines: [] });
		sections.at(-1)!.lines.push(line);
	}
	return sections
		.map(({ level, lines }) => ({ level, text: lines.join("\n").trim() }))
		.filter(({ text }) => text !== "");
}
