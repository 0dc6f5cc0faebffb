/** An image of a foreign page, which becomes text: an outline keeps no images. */
export interface ForeignImage {
	/** The text in its place. */
	readonly text: string;
	/** The part of the page's text that it may be: some browsers copy the description of an image as text. */
	readonly said: string;
	/** The address of the image, for a link; undefined if only the page can load it, or it is only a symbol. */
	readonly href: string | undefined;
}

/** Reads an image. Returns undefined for an image that the page declares as decoration. */
export function foreignImage(image: Element): ForeignImage | undefined {
	const said = image.getAttribute("alt") ?? image.getAttribute("title") ?? "";
	const source = image.getAttribute("src") ?? "";
	const href = /^https?:/i.test(source) && URL.canParse(source) ? source : undefined;
	const description = said.replace(/\s+/g, " ").trim();
	// Many pages show an emoji as an image.
	const isSymbol = description !== "" && !/[\p{L}\p{N}]/u.test(description);
	if (description !== "") return { text: description, said, href: isSymbol ? undefined : href };
	const isCounter = ["width", "height"].some((side) => image.getAttribute(side) === "1");
	return image.hasAttribute("alt") || isCounter || href === undefined ? undefined : { text: "Image", said: "", href };
}

/** The image that is all of a page, if a link can lead to it. */
export function onlyImage({ body }: Document): { readonly text: string; readonly href: string } | undefined {
	const images = body.querySelectorAll("img");
	const [image] = images;
	if (image === undefined || images.length > 1 || body.textContent.trim() !== "") return undefined;
	const { text = "Image", href } = foreignImage(image) ?? {};
	const source = href ?? image.getAttribute("src") ?? "";
	return /^https?:/i.test(source) && URL.canParse(source) ? { text, href: source } : undefined;
}
