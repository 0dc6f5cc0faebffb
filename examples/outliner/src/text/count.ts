/** So many nodes, in words. */
export function nodes(count: number): string {
	return count === 1 ? "1 node" : `${count.toLocaleString("en")} nodes`;
}
