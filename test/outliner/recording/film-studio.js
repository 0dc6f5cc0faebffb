/*
 * Runs in the page that draws the frames of a film: windows side by side, each with a caption and round corners.
 */

const margin = 24;
const captionHeight = 56;
const corner = 16;
let before;

/** Draws a frame. Returns its size, and the part of it that changed. */
globalThis.draw = async (scenes) => {
	const pictures = await Promise.all(scenes.map(({ picture }) => bitmap(picture)));
	const width = even(pictures.reduce((sum, picture) => sum + picture.width + margin, margin));
	const height = even(Math.max(...pictures.map((picture) => picture.height)) + captionHeight + margin);
	const canvas = new OffscreenCanvas(width, height);
	const context = canvas.getContext("2d", { willReadFrequently: true });
	context.fillStyle = "#e4e6ea";
	context.fillRect(0, 0, width, height);
	let x = margin;
	for (const [index, picture] of pictures.entries()) {
		context.fillStyle = "#3c434d";
		context.font = "600 26px system-ui, sans-serif";
		context.fillText(scenes[index].caption, x + 4, captionHeight - 18);
		context.save();
		context.beginPath();
		context.roundRect(x, captionHeight, picture.width, picture.height, corner);
		context.clip();
		context.drawImage(picture, x, captionHeight);
		context.restore();
		x += picture.width + margin;
	}
	const frame = context.getImageData(0, 0, width, height);
	const area = changed(frame);
	before = frame;
	return { width, height, part: area && { ...area, image: await encoded(canvas, area) } };
};

async function bitmap(base64) {
	const response = await fetch(`data:image/png;base64,${base64}`);
	return createImageBitmap(await response.blob());
}

/** Returns the smallest rectangle with all pixels that differ from the frame before; null if none does. */
function changed({ width, height, data }) {
	if (before === undefined) return { x: 0, y: 0, width, height };
	const now = new Uint32Array(data.buffer);
	const old = new Uint32Array(before.data.buffer);
	let [left, top, right, bottom] = [width, height, -1, -1];
	for (let y = 0; y < height; y++) {
		for (let x = 0; x < width; x++) {
			if (now[y * width + x] === old[y * width + x]) continue;
			left = Math.min(left, x);
			right = Math.max(right, x);
			top = Math.min(top, y);
			bottom = y;
		}
	}
	if (right < 0) return null;
	const x = left - (left % 2);
	const y = top - (top % 2);
	return { x, y, width: right - x + 1, height: bottom - y + 1 };
}

async function encoded(canvas, { x, y, width, height }) {
	const part = new OffscreenCanvas(width, height);
	part.getContext("2d").drawImage(canvas, -x, -y);
	// The highest quality is without loss.
	const blob = await part.convertToBlob({ type: "image/webp", quality: 1 });
	const data = new Uint8Array(await blob.arrayBuffer());
	let text = "";
	for (const byte of data) text += String.fromCharCode(byte);
	return btoa(text);
}

function even(number) {
	return number + (number % 2);
}
