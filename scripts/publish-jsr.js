/**
 * Publishes the package to JSR. With `--dry-run` it only shows what it would publish:
 *
 *     npm run publish:jsr -- --dry-run
 */
import { npm } from "./install.js";
import { withJsrManifest } from "./jsr-manifest.js";

// The sources import each other with the ending `.js`. JSR names the true files when it publishes.
const options = ["--allow-slow-types", "--unstable-sloppy-imports", ...process.argv.slice(2)];
process.exitCode = withJsrManifest(() => npm("exec", "--yes", "--", "jsr", "publish", ...options));
