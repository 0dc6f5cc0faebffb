import { compile } from "svelte/compiler";

/**
 * A plugin for Vite that compiles components. A project of your own has `@sveltejs/vite-plugin-svelte`, which
 * does more.
 */
export function svelte() {
	return {
		name: "svelte components",
		transform(source: string, file: string) {
			if (!file.endsWith(".svelte")) return undefined;
			const { js } = compile(source, { filename: file, generate: "client", css: "injected" });
			return { code: js.code, map: js.map };
		},
	};
}
