/** A file that is there offline. */
export interface PrecachedFile {
	/** From the folder of index.html on; that itself is `./`. */
	readonly path: string;
	/** A hash of its content, as the `integrity` of a request. */
	readonly integrity: string;
}
