import { buildPackage, installDependencies } from "./install.js";

installDependencies();
buildPackage();

const { register } = await import("tsx/esm/api");
register();
await import("../examples/import-markdown/main.ts");
