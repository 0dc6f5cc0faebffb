/** The program of a process in which one scene is measured: its first argument names the scene. */

interface Scene {
	run(input: unknown): Promise<unknown>;
}

process.once("message", async (input) => {
	const { run } = (await import(`./scenes/${process.argv[2]}.ts`)) as Scene;
	const result = await run(input);
	process.send!(result, () => process.disconnect!());
});
