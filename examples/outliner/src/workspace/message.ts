/** A message for the user, until they have seen it. */
export interface Message {
	readonly text: string;
	readonly isError: boolean;
	readonly action?: { readonly label: string; readonly run: () => void } | undefined;
}
