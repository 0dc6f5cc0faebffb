import { configureGlobal, readConfigureGlobal } from "fast-check";
import { seed } from "./soak.js";

// Set up for all tests: properties begin with the seed of the run.
configureGlobal({ ...readConfigureGlobal(), seed });
