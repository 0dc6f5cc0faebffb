import { defineConfig } from "vite";
import { svelte } from "./compile.ts";

export default defineConfig({ plugins: [svelte()] });
