/** A sign in the colour and the size of its text's surroundings; screen readers leave it out. */
export function Icon({ path }: { readonly path: string }) {
	return (
		<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">
			<path d={path} />
		</svg>
	);
}
