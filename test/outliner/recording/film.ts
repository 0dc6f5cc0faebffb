import type { Browser, Page } from "playwright-core";

/** A window in a film, with the text above it. */
export interface FilmedWindow {
	readonly page: Page;
	caption: string;
}

/** A picture of the film, and how long it shows. */
interface Frame {
	/** The place in the film of the part that changes, in pixels. */
	readonly x: number;
	readonly y: number;
	readonly width: number;
	readonly height: number;
	/** The part as a WebP file. */
	readonly image: Buffer;
	milliseconds: number;
}

/**
 * Films windows side by side, as an animated WebP. A frame has only what differs from the one before. The browser
 * draws and encodes the pictures; a page of its own holds the one before.
 */
export class Film {
	readonly #windows: readonly FilmedWindow[];
	readonly #studio: Page;
	readonly #frames: Frame[] = [];
	#size = { width: 0, height: 0 };

	private constructor(windows: readonly FilmedWindow[], studio: Page) {
		this.#windows = windows;
		this.#studio = studio;
	}

	static async of(browser: Browser, windows: readonly FilmedWindow[]): Promise<Film> {
		const studio = await browser.newPage();
		await studio.addScriptTag({ path: new URL("film-studio.js", import.meta.url).pathname, type: "module" });
		await studio.waitForFunction("globalThis.draw !== undefined");
		return new Film(windows, studio);
	}

	/** Takes a frame. If nothing has changed, the frame before shows longer. */
	async take(milliseconds: number): Promise<void> {
		const scenes = await Promise.all(
			this.#windows.map(async ({ page, caption }) => ({
				caption,
				picture: (await page.screenshot({ caret: "initial" })).toString("base64"),
			})),
		);
		const drawn = await this.#studio.evaluate(
			(scenes) => (globalThis as unknown as { draw(scenes: object[]): Promise<Drawn> }).draw(scenes),
			scenes,
		);
		const { width, height, part } = drawn;
		this.#size = { width, height };
		if (part === null) this.#frames.at(-1)!.milliseconds += milliseconds;
		else this.#frames.push({ ...part, image: Buffer.from(part.image, "base64"), milliseconds });
	}

	/** Returns the film as an animated WebP that begins anew at its end. */
	toWebp(): Buffer {
		const { width, height } = this.#size;
		const hasAnimation = 0b10;
		const header = chunk("VP8X", bytes([1, hasAnimation], [3, 0], [3, width - 1], [3, height - 1]));
		const animation = chunk("ANIM", bytes([4, 0xffffffff], [2, 0]));
		const frames = this.#frames.map(({ x, y, width, height, image, milliseconds }) => {
			const doNotBlend = 0b10;
			const place = bytes([3, x / 2], [3, y / 2], [3, width - 1], [3, height - 1], [3, milliseconds], [1, doNotBlend]);
			// What follows the header of a WebP file of one picture is the chunk with its pixels.
			return chunk("ANMF", Buffer.concat([place, pixelsOf(image)]));
		});
		const contents = Buffer.concat([Buffer.from("WEBP"), header, animation, ...frames]);
		return Buffer.concat([Buffer.from("RIFF"), bytes([4, contents.length]), contents]);
	}
}

interface Drawn {
	readonly width: number;
	readonly height: number;
	/** The part that changed; null for none. Its place is even, as WebP wants. */
	readonly part: { x: number; y: number; width: number; height: number; image: string } | null;
}

/** Returns the chunk with the pixels of a WebP file, without the file's header. */
function pixelsOf(image: Buffer): Buffer {
	for (let at = 12; at < image.length; ) {
		const length = 8 + image.readUInt32LE(at + 4);
		const padded = length + (length % 2);
		if (/^VP8[ L]$/.test(image.toString("latin1", at, at + 4))) return image.subarray(at, at + padded);
		at += padded;
	}
	throw new Error("The browser has encoded no WebP file.");
}

function chunk(name: string, contents: Buffer): Buffer {
	const padding = Buffer.alloc(contents.length % 2);
	return Buffer.concat([Buffer.from(name), bytes([4, contents.length]), contents, padding]);
}

/** Returns numbers in little-endian order, each with its count of bytes. */
function bytes(...numbers: readonly (readonly [count: number, value: number])[]): Buffer {
	return Buffer.concat(
		numbers.map(([count, value]) => {
			const buffer = Buffer.alloc(count);
			buffer.writeUIntLE(value, 0, count);
			return buffer;
		}),
	);
}
